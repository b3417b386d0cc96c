package dev.recorder.capture;

import java.util.List;

/**
 * Where the rows are that name entities, and what else is read to find these.
 *
 * @param relations the captured table, and all tables below it if it is partitioned
 * @param grants statements that let the triggers' function read what it has to
 * @param looksUp whether entities are looked up in other rows, which may be changed by others at
 *     the same time
 * @param idText how an id becomes text
 */
public record EntitySource(
    List<TableName> relations, List<String> grants, boolean looksUp, TextEncoding idText) {
  public EntitySource {
    relations = List.copyOf(relations);
    grants = List.copyOf(grants);
  }
}
