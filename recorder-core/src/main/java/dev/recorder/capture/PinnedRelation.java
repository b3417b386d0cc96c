package dev.recorder.capture;

import java.util.List;

/**
 * The relation that a capture is of, whatever it is called.
 *
 * @param oid no other relation of the database has it
 * @param isPartitioned whether tables may be below it
 * @param tree itself, and all tables below it if it is partitioned, the higher before the lower
 * @param strays tables that have triggers of the capture and do not belong to it, such as a
 *     partition that was detached
 * @param losses by what its capture loses changes until it is set up again; empty if it has none
 */
public record PinnedRelation(
    long oid,
    boolean isPartitioned,
    List<TableName> tree,
    List<TableName> strays,
    List<String> losses) {
  public PinnedRelation {
    tree = List.copyOf(tree);
    strays = List.copyOf(strays);
    losses = List.copyOf(losses);
  }

  /** What it is called now. */
  public TableName name() {
    return tree.get(0);
  }

  /** The tables below it. */
  public List<TableName> partitions() {
    return tree.subList(1, tree.size());
  }
}
