package dev.recorder.capture;

import java.util.Comparator;
import java.util.List;

/**
 * A table to capture, as read from the catalog.
 *
 * @param pins the columns that the rule captures
 * @param columns the captured columns, in the table's order
 * @param fingerprint hash of the table's columns, which changes when they change
 * @param typeNumbers the oids of the types of all columns, as the text of an array
 * @param keyHasChanged template of an SQL condition with the placeholder {@code relation}: whether
 *     that table's key has changed, provided that its columns have not
 * @param shape SQL condition: whether a row {@code r} has this table's columns
 * @param expressions the rule's expressions, as the server has read them
 */
public record CapturedTable(
    PinnedRelation relation,
    PinnedColumns pins,
    List<CapturedColumn> columns,
    long fingerprint,
    String typeNumbers,
    String keyHasChanged,
    String shape,
    RuleExpressions expressions,
    boolean isPartitioned) {
  public CapturedTable {
    columns = List.copyOf(columns);
  }

  /** Returns the columns that the rule's expressions name: number, name, type and collation. */
  public List<String> named() {
    return expressions.named();
  }

  /** Returns the columns of the table's key, in the key's order; empty if there is no key. */
  public List<CapturedColumn> key() {
    return columns.stream()
        .filter(CapturedColumn::isKey)
        .sorted(Comparator.comparingInt(CapturedColumn::keyPosition))
        .toList();
  }
}
