package dev.recorder.schema;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  static final String LEAF_OF_ID =
      SqlTemplate.fill(
          "((id >> {bits}) & {mask})",
          Map.of("bits", Integer.toString(Block.BITS), "mask", Integer.toString(Block.LEAVES - 1)));

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {table} (
        id bigint GENERATED ALWAYS AS IDENTITY,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        time timestamptz NOT NULL DEFAULT now() CHECK (isfinite(time)),
        key text,
        payload json NOT NULL
      ) PARTITION BY LIST ({leaf_of_id})\
      """;

  private static final String INDEX = "CREATE INDEX {name} ON {table} (xid, id)";

  List<String> create(long maxPayload) {
    String table = names.handoffTable(recorder);
    String index = indexes(recorder).get(0);
    return List.of(
        SqlTemplate.fill(CREATE, Map.of("table", table, "leaf_of_id", LEAF_OF_ID)),
        leaves(),
        MissingIndex.sql(
            names.handoffObject(index),
            SqlTemplate.fill(INDEX, Map.of("name", index, "table", table))),
        TableCheck.ownNumbers(names, recorder).sql(),
        TableCheck.shortKey(names, recorder).sql(),
        TableCheck.onlyCaptures(names, recorder).sql(),
        new PayloadLimit(names, recorder, RecorderKind.LOG, maxPayload).sql());
  }

  private String leaves() {
    return forEachLeaf(LEAF, Map.of());
  }

  /**
   * Nothing is unique in a leaf that an index could say: so that a publication for all tables does
   * not keep a rebase from renumbering rows, all columns tell which row it was.
   */
  private static final String LEAF =
      """
      CREATE TABLE IF NOT EXISTS {leaf} PARTITION OF {table} FOR VALUES IN ({number});
        IF (SELECT relreplident FROM pg_catalog.pg_class
            WHERE oid = {leaf_name}::pg_catalog.regclass) = 'd' THEN
          ALTER TABLE {leaf} REPLICA IDENTITY FULL;
        END IF;\
      """;

  private String grantOnLeaves(String role) {
    return forEachLeaf("GRANT SELECT, TRUNCATE ON {leaf} TO {role};", Map.of("role", role));
  }

  private String forEachLeaf(String statement, Map<String, String> pieces) {
    String statements =
        IntStream.range(0, Block.LEAVES)
            .mapToObj(leaf -> ofLeaf(statement, leaf, pieces))
            .collect(Collectors.joining("\n  ", "\n  ", "\n"));
    return Schema.block(statements);
  }

  private String ofLeaf(String statement, int leaf, Map<String, String> more) {
    Map<String, String> pieces = new HashMap<>(more);
    pieces.put("table", names.handoffTable(recorder));
    pieces.put("leaf", names.handoffLeaf(recorder, leaf));
    pieces.put("leaf_name", Quoted.literal(names.handoffLeaf(recorder, leaf)));
    pieces.put("number", Integer.toString(leaf));
    return SqlTemplate.fillFromShared(statement, pieces);
  }

  /** Their names. */
  static List<String> indexes(RecorderName recorder) {
    return List.of(recorder + "_xid_id");
  }

  /** To read it, to write ticks, and to clear it: leaves are emptied, and the ids go on. */
  List<String> grants(String role) {
    Map<String, String> pieces = Map.of("table", names.handoffTable(recorder), "role", role);
    return List.of(
        SqlTemplate.fill("GRANT SELECT, INSERT (key, payload) ON {table} TO {role}", pieces),
        SqlTemplate.fill("GRANT USAGE, UPDATE ON SEQUENCE {table}_id_seq TO {role}", pieces),
        grantOnLeaves(role));
  }

  /** Keys and payloads, no more. */
  List<String> grantToProducers() {
    return List.of(
        SqlTemplate.fill(
            "GRANT INSERT (key, payload) ON {table} TO {producers}",
            Map.of("table", names.handoffTable(recorder), "producers", Schema.PRODUCERS)));
  }
}
