package dev.recorder.capture;

import java.util.List;

/**
 * What is read to find the entities that rows name.
 *
 * @param grants statements that let {@code recorder_reader} read what it has to
 * @param looksUp whether entities are looked up in other rows, which may be changed by others at
 *     the same time
 * @param idText how an id becomes text
 * @param columns of the captured table, that the expression names
 * @param called the functions of users that it calls, and what these are like
 * @param fingerprint of all of its columns
 * @param shape SQL expression of them, whether a row {@code r} has these
 * @param read SQL that reads them out of a row in JSON
 * @param meant text of an array: which columns and tables the expression means, and their names
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
