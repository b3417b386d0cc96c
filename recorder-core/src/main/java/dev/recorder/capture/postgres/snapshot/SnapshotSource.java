package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.CapturedColumn;
import dev.recorder.capture.CapturedTable;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.Capture;
import dev.recorder.capture.postgres.catalog.CaptureList;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.postgres.catalog.TableCatalog;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.capture.script.NamedColumns;
import dev.recorder.capture.script.SnapshotStatements;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A captured table whose rows will be handed over, as read from the catalog.
 *
 * @param capture the present capture
 * @param name the table's present name
 * @param oid the table's oid
 * @param fingerprint hash of the table's columns
 * @param statements the SQL that hands its rows over
 */
record SnapshotSource(
    Capture capture,
    TableName name,
    long oid,
    long fingerprint,
    boolean hasKey,
    SnapshotStatements statements) {

  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT a.attname FROM pg_attribute a
          WHERE a.attrelid = :table::oid AND a.attnum > 0 AND NOT a.attisdropped
            AND (a.attname = ANY (:captured::text[])
              OR {text} = ANY (:named::text[]))
          ORDER BY a.attnum
          """,
          Map.of("text", NamedColumns.text("a")));

  /**
   * Reads the source.
   *
   * @param rule the rule of the capture as read before
   * @throws RefusedCaptureException if its rows cannot be handed over
   */
  static SnapshotSource read(Connection connection, CaptureNames names, CaptureRule rule)
      throws SQLException, RefusedCaptureException {
    Capture capture = capture(connection, names, rule);
    TableName name = Objects.requireNonNull(capture.table(), "table");
    try (Transaction transaction = Transaction.begin(connection)) {
      CapturedTable table = new TableCatalog(connection, names.schemas()).readAgain(capture, name);
      long oid = table.relation().oid();
      SnapshotSource source =
          new SnapshotSource(
              capture,
              name,
              oid,
              table.fingerprint(),
              !table.key().isEmpty(),
              new SnapshotStatements(
                  names, capture.rule(), table.pins(), columns(connection, oid, table)));
      source.check(connection, names, table);
      return source;
    }
  }

  private static final Sql AS_READ =
      Sql.of(
          """
          SELECT EXISTS (SELECT FROM pg_class r
            WHERE r.oid = to_regclass(:name) AND r.oid = :table::oid AND r.relkind IN ('r', 'p')
              AND {fingerprint} = :fingerprint)
          """,
          Map.of("fingerprint", ColumnQuery.fingerprint("r.oid")));

  /**
   * Returns whether the table still has its name and its columns. Must be called after the table is
   * locked and before it is read by that name.
   */
  boolean isUnchanged(Connection connection) throws SQLException {
    try (SqlStatement statement = AS_READ.on(connection)) {
      return statement
          .set("name", name().quoted())
          .set("table", oid)
          .set("fingerprint", fingerprint)
          .truth();
    }
  }

  private static final String IS_SET_UP =
      """
      SELECT EXISTS (SELECT FROM {captures} c WHERE c.recorder = :recorder
        AND c.captured = :captured AND c.since = :since::timestamptz)
      """;

  /** Returns whether the table and its capture are unchanged. */
  boolean isAsRead(Connection connection) throws SQLException {
    CaptureRule rule = capture.rule();
    try (SqlStatement statement = Sql.in(statements.names().schemas(), IS_SET_UP).on(connection)) {
      return statement
              .set("recorder", rule.recorder().value())
              .set("captured", rule.table().logged())
              .set("since", capture.since().toString())
              .truth()
          && isUnchanged(connection);
    }
  }

  /**
   * Returns a statement that locks the table, or the relation that now has its name, against
   * changes of its columns and name.
   */
  String keepDefinition() {
    return SqlTemplate.fill(
        "LOCK TABLE ONLY {table} IN ACCESS SHARE MODE", Map.of("table", name().quoted()));
  }

  /**
   * Prepares a session for chunks of this table.
   *
   * @return whether the table is unchanged
   */
  boolean prepare(SnapshotSession session)
      throws SQLException, RefusedCaptureException, InterruptedException {
    return session
        .transact(
            this,
            () -> {
              session.run(keepDefinition());
              if (!session.has(this)) {
                return Optional.empty();
              }
              session.requireOwnCode(this, oid);
              for (String statement : statements.prepare(name(), oid)) {
                session.run(statement);
              }
              return Optional.of(this);
            })
        .isPresent();
  }

  private static Capture capture(Connection connection, CaptureNames names, CaptureRule rule)
      throws SQLException, RefusedCaptureException {
    for (Capture capture : new CaptureList(connection, names).all()) {
      CaptureRule now = capture.rule();
      if (now.recorder().equals(rule.recorder())
          && now.table().equals(rule.table())
          && capture.table() != null) {
        return capture;
      }
    }
    throw new RefusedCaptureException(
        "recorder %s captures table %s no longer".formatted(rule.recorder(), rule.table()));
  }

  private static List<String> columns(Connection connection, long oid, CapturedTable table)
      throws SQLException {
    try (SqlStatement statement = COLUMNS.on(connection)) {
      return statement
          .set("table", oid)
          .setArray(
              "captured", "text", table.columns().stream().map(CapturedColumn::name).toArray())
          .setArray("named", "text", table.named().toArray())
          .all(row -> row.getString(1));
    }
  }

  private static final String UP_TO_DATE =
      """
      SELECT c.key_numbers = :key::int[] AND position(:branch IN f.prosrc) > 0
      FROM {captures} c JOIN pg_proc f ON f.proname = c.function_name
        AND f.pronamespace = :schema::regnamespace
      WHERE c.recorder = :recorder AND c.captured = :captured
      """;

  private void check(Connection connection, CaptureNames names, CapturedTable table)
      throws SQLException, RefusedCaptureException {
    CaptureRule rule = capture.rule();
    boolean isUpToDate;
    try (SqlStatement statement = Sql.in(names.schemas(), UP_TO_DATE).on(connection)) {
      isUpToDate =
          statement
              .setArray("key", "int4", table.key().stream().map(CapturedColumn::number).toArray())
              .set("branch", SnapshotStatements.IS_SNAPSHOT)
              .set("schema", names.schemas().control())
              .set("recorder", rule.recorder().value())
              .set("captured", rule.table().logged())
              .first(row -> row.getBoolean(1))
              .orElse(false);
    }
    if (!isUpToDate) {
      throw new RefusedCaptureException(
          "the key of table %s has changed since its capture was set up: run 'recorder capture add' with --again and its options, then the snapshot, which begins anew"
              .formatted(rule.table()));
    }
  }
}
