package dev.recorder.schema;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements of {@link LeafUpgrade}, step by step. Each finds out by itself whether it is still
 * to be done, and may be run again, by whomever.
 */
final class LeafUpgradeSql {
  /** Without it ATTACH would read the whole partition, while producers wait. */
  static final String CHECK = "ids_are_of_leaf_0";

  /** Ids end at 2^32; what is left is for those that are given out meanwhile. */
  private static final long LAST_ID = 4_000_000_000L;

  private final SchemaNames names;
  private final Map<String, String> pieces;

  LeafUpgradeSql(SchemaNames names, RecorderName recorder) {
    this.names = names;
    String table = names.handoffTable(recorder);
    String partition = partition(names, recorder);
    List<String> leaves =
        IntStream.range(0, Block.LEAVES).mapToObj(l -> names.handoffLeaf(recorder, l)).toList();
    this.pieces =
        Map.ofEntries(
            Map.entry("table", table),
            Map.entry("table_name", Quoted.literal(table)),
            Map.entry("partition", partition),
            Map.entry("partition_name", Quoted.literal(partition)),
            Map.entry("schema_name", Quoted.literal(names.control())),
            Map.entry("first_leaf", leaves.get(0)),
            Map.entry("first_leaf_name", Quoted.literal(leaves.get(0))),
            Map.entry("first_leaf_alone", leaves.get(0).substring(names.control().length() + 1)),
            Map.entry("leaf_names", Quoted.literal(SqlArrays.of(leaves))),
            Map.entry("new_leaves", newLeaves(leaves, partition)),
            Map.entry("leaf_of_id", LogTable.LEAF_OF_ID),
            Map.entry("check", CHECK),
            Map.entry("check_name", Quoted.literal(CHECK)),
            Map.entry("last_id", Long.toString(LAST_ID)),
            Map.entry("obstacles", UpgradeObstacles.SQL),
            Map.entry("unless_obstacle", UNLESS_OBSTACLE),
            Map.entry("is_earlier", IS_EARLIER),
            Map.entry("likeness", LIKENESS),
            Map.entry("validate", VALIDATE),
            Map.entry("unmark", UNMARK));
  }

  /** The one that an earlier version made; later the one that has the leaves. */
  static String partition(SchemaNames names, RecorderName recorder) {
    return names.table("handoff_" + recorder + "_default");
  }

  private static final String NEW_LEAF =
      "CREATE TABLE {leaf} PARTITION OF {partition} FOR VALUES IN ({number});";

  private static String newLeaves(List<String> leaves, String partition) {
    return IntStream.range(1, leaves.size())
        .mapToObj(
            leaf ->
                SqlTemplate.fill(
                    NEW_LEAF,
                    Map.of(
                        "leaf", leaves.get(leaf),
                        "partition", partition,
                        "number", Integer.toString(leaf))))
        .collect(Collectors.joining("\n  "));
  }

  /**
   * Whether it has leaves, whether this role may change it, how far it is on its way, and why it
   * cannot get further.
   */
  private static final String LOOK =
      """
      SELECT coalesce(pg_partition_root(to_regclass({first_leaf_name})) = t.oid, false),
        pg_has_role(t.relowner, 'USAGE') AND coalesce(pg_has_role(d.relowner, 'USAGE'), true)
          AND has_schema_privilege({schema_name}, 'CREATE'),
        k.oid IS NOT NULL, coalesce(k.convalidated, false),
        (SELECT string_agg(why, '; ') FROM ({obstacles}) o)
      FROM pg_class t
      LEFT JOIN pg_class d ON d.oid = to_regclass({partition_name})
      LEFT JOIN pg_constraint k ON k.conrelid = d.oid AND k.conname = {check_name}
      WHERE t.oid = to_regclass({table_name})
      """;

  Sql look() {
    return Sql.in(names, LOOK, pieces);
  }

  /** Of the block that has it: says what is in the way, and leaves everything as it is. */
  private static final String UNLESS_OBSTACLE =
      """
      SELECT string_agg(why, '; ') INTO obstacle FROM ({obstacles}) o;
        IF obstacle IS NOT NULL THEN
          RAISE WARNING 'table % keeps its one partition: %', {table_name}, obstacle;
          RETURN;
        END IF;""";

  /** A table that is gone, has leaves, or was never one of an earlier version, is left alone. */
  private static final String IS_EARLIER =
      """
      EXISTS (
          SELECT FROM pg_partitioned_table p JOIN pg_class d ON d.oid = p.partdefid
          WHERE p.partrelid = to_regclass({table_name}) AND p.partstrat = 'r'
            AND d.relkind = 'r')""";

  private static final String MARK =
      """
      DECLARE
        obstacle text;
      BEGIN
        IF NOT {is_earlier} OR EXISTS (SELECT FROM pg_constraint
            WHERE conrelid = to_regclass({partition_name}) AND conname = {check_name}) THEN
          RETURN;
        END IF;
        {unless_obstacle}
        ALTER TABLE {partition} ADD CONSTRAINT {check}
          CHECK ({leaf_of_id} IS NOT NULL AND {leaf_of_id} = 0) NOT VALID;
      END;
      """;

  /** Holds for new rows from now on; takes the partition for an instant. */
  String mark() {
    return block(MARK);
  }

  private static final String VALIDATE =
      """
      IF EXISTS (SELECT FROM pg_constraint
          WHERE conrelid = to_regclass({partition_name}) AND conname = {check_name}
            AND NOT convalidated) THEN
        ALTER TABLE {partition} VALIDATE CONSTRAINT {check};
      END IF;
      """;

  /** Reads the partition once, beside producers: the CHECK holds for all rows. */
  String validate() {
    return block(VALIDATE);
  }

  private static final String VALIDATE_OR_UNMARK =
      """
      BEGIN
        {validate}
      EXCEPTION WHEN check_violation THEN
        {unmark}
        RAISE WARNING 'table % keeps its one partition: it has rows with ids from 2^32 on',
          {table_name};
      END;
      """;

  /** The same for callers that ignore the outcome. */
  String validateOrUnmark() {
    return block(VALIDATE_OR_UNMARK);
  }

  private static final String UNMARK =
      "ALTER TABLE IF EXISTS {partition} DROP CONSTRAINT IF EXISTS {check};";

  /** Takes back what {@link #mark} did. */
  String unmark() {
    return block(UNMARK);
  }

  /**
   * The table first, as producers take them, then the partition, for which nobody waits who would
   * have come by the table. CHECKs that need not hold for old rows go for the length of this
   * transaction: no partition can be attached that has one.
   */
  private static final String SWAP =
      """
      DECLARE
        obstacle text;
        drops text;
        adds text;
        comments text;
        likeness text;
      BEGIN
        IF NOT {is_earlier} THEN
          RETURN;
        END IF;
        {unless_obstacle}
        LOCK TABLE ONLY {table} IN ACCESS EXCLUSIVE MODE;
        IF NOT {is_earlier} THEN
          RETURN;
        END IF;
        LOCK TABLE ONLY {partition} IN ACCESS EXCLUSIVE MODE NOWAIT;
        IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = {partition_name}::regclass
            AND conname = {check_name} AND convalidated) THEN
          RETURN;
        END IF;

        SELECT string_agg(format('DROP CONSTRAINT %I', conname), ', '),
          string_agg(format('ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), ', '),
          string_agg(format('COMMENT ON CONSTRAINT %I ON %s IS %L;', conname, {table_name},
            obj_description(oid, 'pg_constraint')), ' ')
            FILTER (WHERE obj_description(oid, 'pg_constraint') IS NOT NULL)
        INTO drops, adds, comments FROM pg_constraint
        WHERE conrelid = {table_name}::regclass AND contype = 'c' AND NOT convalidated;
        IF drops IS NOT NULL THEN
          EXECUTE 'ALTER TABLE ' || {table_name} || ' ' || drops;
        END IF;
        PERFORM set_config('default_tablespace', coalesce((
          SELECT spcname FROM pg_class c JOIN pg_tablespace s ON s.oid = c.reltablespace
          WHERE c.oid = {partition_name}::regclass), ''), true);

        ALTER TABLE {table} DETACH PARTITION {partition};
        ALTER TABLE {partition} RENAME TO {first_leaf_alone};
        CREATE TABLE {partition} PARTITION OF {table} DEFAULT PARTITION BY LIST ({leaf_of_id});
        {new_leaves}
        ALTER TABLE {partition} ATTACH PARTITION {first_leaf} FOR VALUES IN (0);
        ALTER TABLE {first_leaf} DROP CONSTRAINT {check};

        IF adds IS NOT NULL THEN
          EXECUTE 'ALTER TABLE ' || {table_name} || ' ' || adds;
        END IF;
        IF comments IS NOT NULL THEN
          EXECUTE comments;
        END IF;
        SELECT string_agg(statement, ' ' ORDER BY place) INTO likeness FROM ({likeness}) l;
        IF likeness IS NOT NULL THEN
          EXECUTE likeness;
        END IF;
      END;
      """;

  /** What was set for the one partition, to be set for the leaves: owner, rights, options. */
  private static final String LIKENESS =
      """
      WITH first AS (SELECT * FROM pg_class WHERE oid = {first_leaf_name}::regclass),
      made AS (
        SELECT leaf, c.relowner FROM unnest({leaf_names}::text[] || {partition_name}::text) leaf
        JOIN pg_class c ON c.oid = leaf::regclass WHERE leaf <> {first_leaf_name}),
      options AS (
        SELECT string_agg(
          format('%s%s = %L', prefix, split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ')
          AS list
        FROM (
          SELECT '' AS prefix, unnest(reloptions) AS o FROM first
          UNION ALL
          SELECT 'toast.', unnest(t.reloptions) FROM first f JOIN pg_class t
            ON t.oid = f.reltoastrelid) o)
      SELECT 1 AS place, format('ALTER TABLE %s OWNER TO %I;', leaf, pg_get_userbyid(t.relowner))
        AS statement
        FROM made JOIN pg_class t ON t.oid = {table_name}::regclass
        WHERE made.relowner <> t.relowner
      UNION ALL
      SELECT 2, format('GRANT %s ON %s TO %s%s;', privilege_type, leaf,
          CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
          CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        FROM made, first, aclexplode(first.relacl) WHERE grantee <> first.relowner
      UNION ALL
      SELECT 3, format('ALTER TABLE %s SET (%s);', leaf, list)
        FROM made, options WHERE list IS NOT NULL AND leaf <> {partition_name}
      UNION ALL
      SELECT 4, format('ALTER TABLE %s REPLICA IDENTITY %s;', leaf,
          CASE relreplident WHEN 'n' THEN 'NOTHING' ELSE 'FULL' END)
        FROM made, first WHERE relreplident <> 'd' AND leaf <> {partition_name}
      """;

  /** Makes the partition the first leaf; nothing if it is not validated. */
  String swap() {
    return block(SWAP);
  }

  /** The same, undone by its end unless a term still lasts then. */
  String swap(TermFence fence) {
    return Schema.block(
        SqlTemplate.fill(
            "\n{swap}\n{fence}\n", Map.of("swap", filled(SWAP), "fence", fence.part())));
  }

  private String block(String statements) {
    return Schema.block(
        SqlTemplate.fill("\n{statements}\n", Map.of("statements", filled(statements))));
  }

  private String filled(String statements) {
    return Sql.in(names, statements, pieces).text();
  }
}
