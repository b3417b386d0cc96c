package dev.recorder.capture.script;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.EntitySource;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.QueryFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The function of a table's triggers that asks for documents: one update for each entity that an
 * old or a new row of the statement names, without a payload.
 *
 * <p>The expression that says so may reach code of others, which must do nothing with the rights of
 * this function's owner. So the function only hands the texts of the columns that the expression
 * names to one that runs as a role that may only read, and takes the ids. Whatever was done
 * meanwhile is undone: that role could else drop what it owns, or leave settings in the session.
 * What no transaction undoes, statements prepared under names that the application uses, is taken
 * out of the session.
 *
 * <p>A TRUNCATE has no transition tables, so it is looked at before it happens. Of a partitioned
 * table only the partitions have rows of their own, and each of them fires, if it is armed: as long
 * as one is not, or has triggers of another capture or disabled ones, all rows are looked at from
 * above, too.
 *
 * <p>It fails, and with it the statement that fired it, once its expression can no longer be
 * evaluated: a document that is old and looks new would be worse. For the same reason a policy that
 * would hide rows from it is an error.
 */
record RequestFunction(CaptureNames names, CaptureRule rule, long relation, EntitySource source) {
  /** Raised so that everything is undone, once the ids are there. */
  private static final String DONE = "RC001";

  /** So many rows are handed over at once: a value has at most 1 GB. */
  private static final String ROWS = "10000";

  private static final String BODY =
      """

      -- Asks recorder {recorder} for the documents that a change of {comment} touches.
      -- Made by 'recorder capture add'; what is changed by hand is lost when it is made again.
      #variable_conflict use_column
      <<capture>>
      DECLARE
        {declaration}
        {seen_declaration}
        source text;
        known text[];
        victim text;
        ids text[];
        is_read boolean := false;
      BEGIN
      {guard}

      IF TG_OP = 'TRUNCATE' THEN
        source := CASE WHEN EXISTS (SELECT FROM pg_partition_tree(TG_RELID) AS t
            WHERE t.isleaf AND t.relid <> TG_RELID AND NOT EXISTS (SELECT FROM pg_trigger AS g
              WHERE g.tgrelid = t.relid AND g.tgname = TG_NAME AND g.tgfoid = {function}::regprocedure
                AND g.tgenabled IN ('A', CASE current_setting('session_replication_role')
                  WHEN 'replica' THEN 'R' ELSE 'O' END)))
          THEN '' ELSE 'ONLY ' END || TG_RELID::regclass;
      ELSE
      {seen}
        -- The limit limits nothing: it tells the planner how many rows there are.
        SELECT format('(SELECT %s FROM json_array_elements($1) AS r (v) LIMIT json_array_length($1))',
          string_agg(format(
            '(r.v ->> %s)::%s AS %I', w.place - 1, format_type(a.atttypid, a.atttypmod), w.name),
            ', ' ORDER BY w.place)) INTO source
        FROM unnest({columns}::text[]) WITH ORDINALITY AS w (name, place)
        JOIN pg_attribute AS a ON a.attrelid = TG_RELID AND a.attname = w.name;
      END IF;
      known := ARRAY(SELECT {signature} FROM pg_prepared_statements AS p);
      BEGIN
        IF TG_OP = 'TRUNCATE' THEN
          {of_truncated};
        ELSIF TG_OP = 'INSERT' THEN
          {of_inserted};
        ELSIF TG_OP = 'DELETE' THEN
          {of_deleted};
        ELSE
          {of_updated};
        END IF;
        is_read := true;
        RAISE SQLSTATE {done};
      EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
        FOR victim IN SELECT p.name FROM pg_prepared_statements AS p
            WHERE {signature} <> ALL (capture.known) LOOP
          EXECUTE format('DEALLOCATE %I', victim);
        END LOOP;
        IF SQLSTATE <> {done} OR NOT is_read THEN
          RAISE;
        END IF;
      END;
      INSERT INTO {handoff} (request_type, entity_id)
      SELECT DISTINCT 'update', e FROM unnest(ids) AS e;
      RETURN NULL;
      END
      """;

  /** Statements of the protocol are told from those that SQL has prepared. */
  private static final String SIGNATURE =
      """
      concat_ws(' ', p.from_sql, p.prepare_time, p.name, CASE WHEN p.from_sql THEN p.statement END)\
      """;

  private static final String STATEMENT =
      """
      SELECT DISTINCT {id} FROM ({entities}) AS found (entity) WHERE found.entity IS NOT NULL\
      """;

  private static final String READ = "SELECT array_agg(e) INTO ids FROM {from}";

  private static final String CALL = "{read_entities}({statement}, NULL) AS e";

  private static final String CHUNKS =
      """
      (SELECT json_agg(r.v::json) AS rows
            FROM (SELECT r.v, row_number() OVER () / {most} AS chunk FROM (
              {rows}) AS r) AS r
            GROUP BY r.chunk) AS c
          CROSS JOIN LATERAL {read_entities}({statement}, c.rows) AS e\
      """;

  private static final String OF_ROWS =
      """
      SELECT DISTINCT json_build_array({values})::text COLLATE "C" AS v FROM {rows} AS {row}\
      """;

  /** The output of a type, by nothing that its owner can make. */
  private static final String VALUE =
      "CASE WHEN {column} IS DISTINCT FROM NULL THEN format('%s', {column}) END";

  /** Stands where only the trigger knows which rows they are. */
  private static final String TABLE = "\uFDD0";

  /** The statement that creates it, or takes its place. */
  String create() {
    return new TriggerFunction(names, rule, "SET row_security = off\n", body()).create();
  }

  private String body() {
    String[] statement =
        SqlTemplate.fill(
                STATEMENT,
                Map.of(
                    "id", source.idText().of("found.entity"),
                    "entities", EntityExpression.ofRows(rule, TABLE)))
            .split(TABLE, 2);
    RelationGuard guard = new RelationGuard(names, rule, relation);
    Map<String, String> call =
        Map.of(
            "read_entities",
            new QueryFunction(names.schemas()).ofEntities(),
            "statement",
            Quoted.dollars("sql", statement[0])
                + " || capture.source || "
                + Quoted.dollars("sql", statement[1]),
            "most",
            ROWS);
    return SqlTemplate.fill(
        BODY,
        Map.ofEntries(
            Map.entry("recorder", rule.recorder().value()),
            Map.entry("comment", Quoted.comment(rule.table().quoted())),
            Map.entry("handoff", names.schemas().handoffTable(rule.recorder())),
            Map.entry("declaration", guard.declaration()),
            Map.entry("seen_declaration", SeenColumns.DECLARATION),
            Map.entry("seen", seen().sql()),
            Map.entry("guard", guard.sql(RelationGuard.FIRED)),
            Map.entry("function", Quoted.literal(names.function(rule) + "()")),
            Map.entry("columns", Quoted.array(source.columns())),
            Map.entry("done", Quoted.literal(DONE)),
            Map.entry("signature", SIGNATURE),
            Map.entry("of_truncated", read(CALL, call, "")),
            Map.entry("of_inserted", read(CHUNKS, call, ofRows("new_rows"))),
            Map.entry("of_deleted", read(CHUNKS, call, ofRows("old_rows"))),
            Map.entry(
                "of_updated",
                read(CHUNKS, call, ofRows("old_rows") + "\nUNION\n" + ofRows("new_rows")))));
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

  private static String read(String from, Map<String, String> call, String rows) {
    Map<String, String> pieces = new HashMap<>(call);
    pieces.put("rows", rows);
    return SqlTemplate.fill(READ, Map.of("from", SqlTemplate.fillFromShared(from, pieces)));
  }

  private String ofRows(String rows) {
    String row = Quoted.identifier(rule.table().name());
    String values =
        source.columns().stream()
            .map(
                name ->
                    SqlTemplate.fill(VALUE, Map.of("column", row + "." + Quoted.identifier(name))))
            .collect(Collectors.joining(", "));
    return SqlTemplate.fill(OF_ROWS, Map.of("values", values, "rows", rows, "row", row));
  }
}
