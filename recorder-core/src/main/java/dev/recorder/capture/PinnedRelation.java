package dev.recorder.capture;

import java.util.List;

/**
 * The captured relation, identified by oid rather than by name.
 *
 * @param oid unique among the relations of the database
 * @param isPartitioned whether it is a partitioned table
 * @param tree the relation and, if it is partitioned, all tables below it, parents before children
 * @param strays tables that have triggers of the capture without belonging to it, such as a
 *     detached partition
 * @param losses reasons for which its capture loses changes until it is set up again; empty if none
 *     or if there is no capture
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

  /** Returns the relation's present name. */
  public TableName name() {
    return tree.get(0);
  }

  /** Returns all tables below the relation. */
  public List<TableName> partitions() {
    return tree.subList(1, tree.size());
  }
}
