package dev.recorder.schema;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The hand-off table of a log.
 *
 * <p>Made of {@link Block#LEAVES} leaves, which are emptied underneath while producers keep writing
 * to the one name: nothing is created, attached or dropped later, which would lock them out. Rows
 * find their leaf by their id alone. {@code xid} and {@code id} are the database's to give: a CHECK
 * ({@link TableCheck#ownNumbers}) turns away rows that bring numbers of another database, NOT VALID
 * so that a dump can be restored and repaired. The two numbers that a repair gives ({@code Rebase})
 * lie below all that a server gives to transactions of users. Another CHECK turns away payloads
 * that are too large.
 */
record LogTable(SchemaNames names, RecorderName recorder) {
  static final String LEAF_OF_ID = "((id >> %d) & %d)".formatted(Block.BITS, Block.LEAVES - 1);

  List<String> create(long maxPayload) {
    String table = names.handoffTable(recorder);
    return List.of(
        """
        CREATE TABLE IF NOT EXISTS %s (
          id bigint GENERATED ALWAYS AS IDENTITY,
          xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
          time timestamptz NOT NULL DEFAULT now() CHECK (isfinite(time)),
          key text,
          payload json NOT NULL
        ) PARTITION BY LIST (%s)"""
            .formatted(table, LEAF_OF_ID),
        leaves(),
        "CREATE INDEX IF NOT EXISTS %s_xid_id ON %s (xid, id)".formatted(recorder, table),
        TableCheck.ownNumbers(names, recorder).sql(),
        TableCheck.shortKey(names, recorder).sql(),
        new PayloadLimit(names, recorder, maxPayload).sql());
  }

  /** A table of an earlier version gets its leaves otherwise, if at all: {@link LeafUpgrade}. */
  private String leaves() {
    return forEachLeaf(
        """
        (SELECT partstrat FROM pg_catalog.pg_partitioned_table
          WHERE partrelid = '%s'::pg_catalog.regclass) = 'l'"""
            .formatted(names.handoffTable(recorder)),
        "CREATE TABLE IF NOT EXISTS %2$s PARTITION OF %1$s FOR VALUES IN (%3$d);");
  }

  /** One that has no leaves has nothing to be emptied. */
  private String grantOnLeaves(String role) {
    return forEachLeaf(
        """
        pg_catalog.pg_partition_root(pg_catalog.to_regclass('%s')) = '%s'::pg_catalog.regclass"""
            .formatted(names.handoffLeaf(recorder, 0), names.handoffTable(recorder)),
        "GRANT SELECT, TRUNCATE ON %2$s TO " + role.replace("%", "%%") + ";");
  }

  private String forEachLeaf(String condition, String statement) {
    String table = names.handoffTable(recorder);
    String statements =
        IntStream.range(0, Block.LEAVES)
            .mapToObj(leaf -> statement.formatted(table, names.handoffLeaf(recorder, leaf), leaf))
            .collect(Collectors.joining("\n  "));
    return Schema.block(
        """

        IF %s THEN
          %s
        END IF;
        """
            .formatted(condition, statements));
  }

  /** Their names. */
  static List<String> indexes(RecorderName recorder) {
    return List.of(recorder + "_xid_id");
  }

  /** To read it, to write ticks, and to clear it: leaves are emptied, and the ids go on. */
  List<String> grants(String role) {
    return List.of(
        "GRANT SELECT, INSERT (key, payload) ON %s TO %s"
            .formatted(names.handoffTable(recorder), role),
        "GRANT USAGE, UPDATE ON SEQUENCE %s_id_seq TO %s"
            .formatted(names.handoffTable(recorder), role),
        grantOnLeaves(role));
  }

  /**
   * Transactions, one after the other, that give leaves to a table of an earlier version.
   *
   * @param role is granted on them what it needs
   */
  List<List<String>> upgrade(String role) {
    LeafUpgradeSql upgrade = new LeafUpgradeSql(names, recorder);
    return List.of(
        List.of(LeafUpgrade.SHORT, upgrade.mark()),
        List.of(upgrade.validateOrUnmark()),
        List.of(LeafUpgrade.SHORT, upgrade.swap(), grantOnLeaves(role)));
  }

  /** Keys and payloads, no more. */
  List<String> grantToProducers() {
    return List.of(
        "GRANT INSERT (key, payload) ON %s TO %s"
            .formatted(names.handoffTable(recorder), Schema.PRODUCERS));
  }
}
