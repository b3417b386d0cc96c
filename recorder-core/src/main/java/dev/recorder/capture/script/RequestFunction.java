package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.EntitySource;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The function of a table's triggers that requests documents: one update without a payload for each
 * entity of the statement's old and new rows.
 *
 * <p>The expression {@code --entity} may call code of other roles, which must not run with the
 * rights of this function's owner. So this function passes the texts of the named columns to
 * another function, which runs as a role that may only read, and gets ids back. Everything that was
 * done in that call is rolled back. Otherwise the code could drop objects of that role, or leave
 * settings in the session. A rollback does not remove prepared statements, whose names the
 * application may use, so these are deallocated.
 *
 * <p>A TRUNCATE has no transition tables, so the rows are read before it. The rows of a partitioned
 * table are in its partitions, and the triggers of each armed partition fire. If a partition is not
 * armed, has triggers of another capture, or has disabled triggers, all rows are also read by way
 * of the partitioned table.
 *
 * <p>If the expression can no longer be evaluated, the function fails, and with it the statement
 * that fired it: a stale document that looks current would be worse. For the same reason it fails
 * if a name in the expression now belongs to another object, or if a row level security policy
 * would hide rows.
 */
record RequestFunction(CaptureNames names, CaptureRule rule, long relation, EntitySource source) {
  /** SQLSTATE raised to roll the call back after it has returned the ids. */
  private static final String DONE = "RC001";

  /** Most rows passed in one call, since a value has at most 1 GB. */
  private static final String MOST = "10000";

  private static final String BODY =
      """

      -- Asks recorder {recorder} for the documents that a change of {comment} touches.
      -- Made by 'recorder capture add'; what is changed by hand is lost when it is made again.
      #variable_conflict use_column
      <<capture>>
      DECLARE
        {declaration}
        {moved_declaration}
        {seen_declaration}
        {meant}
        unmet text;
        rows json;
        source text;
        known text[];
        victim text;
        ids text[];
        is_read boolean := false;
      BEGIN
      {guard}
      {moved}

      IF TG_OP <> 'TRUNCATE' THEN
      {seen}
      END IF;
      IF TG_OP = 'TRUNCATE' THEN
        source := CASE WHEN EXISTS (SELECT FROM pg_partition_tree(TG_RELID) AS t
            WHERE t.isleaf AND t.relid <> TG_RELID AND NOT EXISTS (SELECT FROM pg_trigger AS g
              WHERE g.tgrelid = t.relid AND g.tgname = TG_NAME AND g.tgfoid = {function}::regprocedure
                AND g.tgenabled IN ('A', CASE current_setting('session_replication_role')
                  WHEN 'replica' THEN 'R' ELSE 'O' END)))
          THEN '' ELSE 'ONLY ' END || TG_RELID::regclass;
        known := ARRAY(SELECT p.signature FROM ({prepared}) AS p);
        unmet := {unmet};
      ELSIF TG_OP = 'INSERT' THEN
        {first_inserted};
      ELSIF TG_OP = 'DELETE' THEN
        {first_deleted};
      ELSE
        {first_updated};
      END IF;
      IF TG_OP <> 'TRUNCATE' AND rows IS NULL THEN
        RETURN NULL;
      END IF;
      IF unmet IS NOT NULL THEN
        RAISE undefined_column USING
          MESSAGE = format('%s does not exist, or is another one than --entity of %s means',
            unmet, {table}),
          HINT = 'Documents that look new would be old. Set the capture up again, by recorder'
            ' capture add with --again, after a look at its --entity.';
      END IF;
      BEGIN
        IF TG_OP = 'TRUNCATE' OR json_array_length(rows) <= {few} THEN
          ids := {find}(rows, source);
        ELSIF TG_OP = 'INSERT' THEN
          {all_inserted};
        ELSIF TG_OP = 'DELETE' THEN
          {all_deleted};
        ELSE
          {all_updated};
        END IF;
        is_read := true;
        RAISE SQLSTATE {done};
      EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
        FOREACH victim IN ARRAY ARRAY(SELECT p.name FROM ({prepared}) AS p
            WHERE p.signature <> ALL (known)) LOOP
          EXECUTE format('DEALLOCATE %I', victim);
        END LOOP;
        IF SQLSTATE <> {done} OR NOT is_read THEN
          RAISE;
        END IF;
      END;
      INSERT INTO {handoff} (request_type, entity_id)
      SELECT 'update', e FROM unnest(ids) AS e;
      RETURN NULL;
      END
      """;

  /**
   * Statements that may have been prepared during the call. Statements that the application
   * prepared earlier, possibly many, are left out. Statements prepared by the protocol and by SQL
   * are distinguished.
   */
  private static final String PREPARED =
      """
      SELECT concat_ws(' ', p.from_sql, p.prepare_time, p.name,
              CASE WHEN p.from_sql THEN p.statement END) AS signature, p.name
            FROM pg_prepared_statements AS p WHERE p.prepare_time >= statement_timestamp()\
      """;

  /** One statement for several queries, since starting a statement takes longer than running it. */
  private static final String FIRST =
      """
      SELECT json_agg(r.v), {read}, ARRAY(SELECT p.signature FROM ({prepared}) AS p), {unmet}
          INTO rows, source, known, unmet FROM ({rows} LIMIT {few} + 1) AS r (v)\
      """;

  private static final String ALL =
      """
      SELECT array_agg(DISTINCT f.e COLLATE "C") INTO ids FROM (SELECT json_agg(r.v::json) AS rows
              FROM (SELECT r.v, row_number() OVER () / {most} AS chunk FROM (
                {rows}) AS r (v)) AS r
              GROUP BY r.chunk) AS c
            CROSS JOIN LATERAL unnest({find}(c.rows, source)) AS f (e)\
      """;

  private static final String ROW = "SELECT json_build_array({values}) FROM {rows} AS {row}";

  private static final String DISTINCT =
      """
      SELECT DISTINCT json_build_array({values})::text COLLATE "C" FROM {rows} AS {row}\
      """;

  /** SQL for the type's output, without calling a cast that the type's owner may have made. */
  private static final String VALUE =
      "CASE WHEN {column} IS DISTINCT FROM NULL THEN format('%s', {column}) END";

  /** Returns the statement that creates or replaces the function. */
  String create() {
    return new TriggerFunction(names, rule, "SET row_security = off\n", body()).create();
  }

  private String body() {
    RelationGuard guard = new RelationGuard(names, rule, relation, "true");
    Map<String, String> pieces =
        new HashMap<>(
            Map.ofEntries(
                Map.entry("recorder", rule.recorder().value()),
                Map.entry("comment", Quoted.comment(rule.table().quoted())),
                Map.entry("handoff", names.schemas().handoffTable(rule.recorder())),
                Map.entry("declaration", guard.declaration()),
                Map.entry("moved", new RowTriggers(names, rule).check()),
                Map.entry("moved_declaration", RowTriggers.DECLARATION),
                Map.entry("seen_declaration", SeenColumns.DECLARATION),
                Map.entry("seen", seen().sql()),
                Map.entry("guard", guard.sql(RelationGuard.FIRED)),
                Map.entry("function", Quoted.literal(names.function(rule) + "()")),
                Map.entry("table", Quoted.literal(rule.table().logged())),
                Map.entry("meant", EntityExpression.declaration(source.meant())),
                Map.entry("unmet", unmet()),
                Map.entry("find", names.entityFunction(rule)),
                Map.entry("read", read()),
                Map.entry("prepared", PREPARED),
                Map.entry("few", EntityFunction.FEW),
                Map.entry("most", MOST),
                Map.entry("done", Quoted.literal(DONE))));
    putReading("inserted", List.of("new_rows"), pieces);
    putReading("deleted", List.of("old_rows"), pieces);
    putReading("updated", List.of("old_rows", "new_rows"), pieces);
    return SqlTemplate.fillFromShared(BODY, pieces);
  }

  private static final String IS_KNOWN =
      "TG_RELID = {relation} AND {fingerprint} = {known}::bigint";

  private SeenColumns seen() {
    String isKnown =
        SqlTemplate.fill(
            IS_KNOWN,
            Map.of(
                "relation",
                RelationGuard.ROOT,
                "fingerprint",
                ColumnQuery.fingerprint("TG_RELID"),
                "known",
                Quoted.literal(Long.toString(source.fingerprint()))));
    return new SeenColumns(rule, isKnown, source.shape());
  }

  private static final String UNMET = "CASE WHEN {root} = {oid}::oid THEN {unmet} END";

  /**
   * Returns SQL for names that now belong to other objects. It is NULL after a restore from a dump:
   * all oids have changed, so names cannot be compared with the objects that they meant.
   */
  private String unmet() {
    return SqlTemplate.fill(
        UNMET,
        Map.of(
            "root", RelationGuard.ROOT,
            "oid", Long.toString(relation),
            "unmet", EntityExpression.unmet(RelationGuard.ROOT, "meant")));
  }

  private String read() {
    return EntityExpression.read("TG_RELID", Quoted.array(source.columns()));
  }

  private void putReading(String what, List<String> rows, Map<String, String> pieces) {
    pieces.put("rows", union(rows, ROW, " UNION ALL "));
    pieces.put("first_" + what, SqlTemplate.fillFromShared(FIRST, pieces));
    pieces.put("rows", union(rows, DISTINCT, " UNION "));
    pieces.put("all_" + what, SqlTemplate.fillFromShared(ALL, pieces));
  }

  private String union(List<String> rows, String select, String union) {
    String row = Quoted.identifier(rule.table().name());
    String values =
        source.columns().stream()
            .map(
                name ->
                    SqlTemplate.fill(VALUE, Map.of("column", row + "." + Quoted.identifier(name))))
            .collect(Collectors.joining(", "));
    return rows.stream()
        .map(from -> SqlTemplate.fill(select, Map.of("values", values, "rows", from, "row", row)))
        .collect(Collectors.joining(union));
  }
}
