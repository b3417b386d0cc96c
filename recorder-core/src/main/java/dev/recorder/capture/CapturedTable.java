package dev.recorder.capture;

import java.util.Comparator;
import java.util.List;

/**
 * A table as the catalog has it.
 *
 * @param pins which columns a rule captures
 * @param columns these, in the table's order
 * @param fingerprint another for other columns
 * @param typeNumbers the oids of its columns' types, as the text of an array
 * @param keyHasChanged template of an SQL condition on a {@code relation}: whether it has another
 *     key, if it has these columns
 * @param shape SQL expression of its columns, whether a row {@code r} has these
 * @param expressions those of the rule
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

  /** The columns that the rule's expressions name: number, name, type and collation. */
  public List<String> named() {
    return expressions.named();
  }

  /** The columns of its key, in the key's order; empty if it has none. */
  public List<CapturedColumn> key() {
    return columns.stream()
        .filter(CapturedColumn::isKey)
        .sorted(Comparator.comparingInt(CapturedColumn::keyPosition))
        .toList();
  }
}
