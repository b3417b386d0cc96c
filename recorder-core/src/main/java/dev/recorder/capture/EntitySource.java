package dev.recorder.capture;

import java.util.List;

/**
 * What {@code --entity} of a capture for documents reads to find the entities of a row.
 *
 * @param grants statements that give {@code recorder_reader} the rights that the expression needs
 * @param looksUp whether the expression reads other rows, which other transactions may change
 *     meanwhile
 * @param idText how an id becomes text
 * @param columns the columns of the captured table that the expression names
 * @param called the users' functions that the expression calls, each with a hash of its definition
 * @param fingerprint hash of all columns of the captured table
 * @param shape SQL condition: whether a row {@code r} has all columns of the captured table
 * @param read SQL that reads {@code columns} from a row in JSON
 * @param meant text of an array: the columns and tables that the expression refers to, and their
 *     names
 */
public record EntitySource(
    List<String> grants,
    boolean looksUp,
    TextEncoding idText,
    List<String> columns,
    List<String> called,
    long fingerprint,
    String shape,
    String read,
    String meant) {
  public EntitySource {
    grants = List.copyOf(grants);
    columns = List.copyOf(columns);
    called = List.copyOf(called);
  }
}
