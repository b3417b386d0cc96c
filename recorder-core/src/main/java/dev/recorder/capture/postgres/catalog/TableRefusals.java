package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.catalog.TableCatalog.FoundTable;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.CaptureTriggerNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** Refuses tables that cannot be captured for reasons other than their columns. */
final class TableRefusals {
  private final Connection connection;
  private final SchemaNames schemas;

  TableRefusals(Connection connection, SchemaNames schemas) {
    this.connection = connection;
    this.schemas = schemas;
  }

  /**
   * Checks the table's kind and name.
   *
   * @throws RefusedCaptureException if not
   */
  void check(FoundTable found) throws SQLException, RefusedCaptureException {
    TableName name = found.name();
    String why =
        switch (found.kind()) {
          case "r", "p" -> found.isTemporary() ? "is temporary: only its own session sees it" : "";
          case "v", "m" -> "is a view: capture the tables that it reads";
          case "f" -> "is a foreign table: capture it where its rows are";
          default -> "is not a table";
        };
    if (!why.isEmpty()) {
      throw new RefusedCaptureException(name + " " + why);
    }
    if (Set.of("pg_catalog", "information_schema", schemas.control(), schemas.handoff())
        .contains(name.schema())) {
      throw new RefusedCaptureException(
          name
              + " belongs to PostgreSQL or to the recorder itself: capture tables of applications");
    }
    if (found.isPartition()) {
      throw new RefusedCaptureException(
          "%s is a partition: capture %s, and it is captured as part of it"
              .formatted(name, text(ROOT, found.oid())));
    }
    if (found.kind().equals("r") && Boolean.parseBoolean(text(INHERITS, found.oid()))) {
      throw new RefusedCaptureException(
          name
              + " has children or a parent by INHERITS, whose rows no trigger of one table sees"
              + " whole; only partitions by PARTITION BY can be captured");
    }
    String foreign = text(FOREIGN_PARTITION, found.oid());
    if (!foreign.isEmpty()) {
      throw new RefusedCaptureException(
          "%s has partition %s, a foreign table, which no transition table can follow: detach that one"
              .formatted(name, foreign));
    }
    String unlogged = text(UNLOGGED, found.oid());
    if (!unlogged.isEmpty()) {
      throw new RefusedCaptureException(
          "table %1$s is UNLOGGED: a crash of the server empties it, and no trigger sees that: ALTER TABLE %1$s SET LOGGED"
              .formatted(unlogged));
    }
    if (name.logged().indexOf('.') != name.logged().lastIndexOf('.')) {
      throw new RefusedCaptureException(
          "table %s has a dot in its name or in its schema's, and in a log, which calls it %s, it could be another's: give it a name without"
              .formatted(name.quoted(), name));
    }
  }

  /**
   * Checks that a table's triggers with the capture's names belong to this installation.
   *
   * @throws RefusedCaptureException if not
   */
  void checkTriggers(FoundTable found, RecorderName recorder)
      throws SQLException, RefusedCaptureException {
    try (SqlStatement statement = TAKEN.on(connection)) {
      String function =
          statement
              .set("table", found.oid())
              .set("name", CaptureTriggerNames.name(recorder, "insert"))
              .set("control", schemas.control())
              .first(row -> row.getString(1))
              .orElse("");
      if (!function.isEmpty()) {
        throw new RefusedCaptureException(
            """
            %s is captured already by recorder %s of another schema (its trigger calls %s): give the \
            recorder of this installation another name, or remove that capture first\
            """
                .formatted(found.name(), recorder, function));
      }
    }
  }

  private static final Sql TAKEN =
      Sql.of(
          """
          SELECT t.tgfoid::regproc::text FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
          JOIN pg_namespace n ON n.oid = f.pronamespace
          WHERE t.tgrelid = :table::oid AND t.tgname = :name AND n.nspname <> :control
          LIMIT 1
          """);

  private static final Sql ROOT =
      Sql.of("SELECT format('%s', pg_partition_root(:table::oid)::regclass)");

  private static final Sql INHERITS =
      Sql.of(
          """
          SELECT (EXISTS (SELECT FROM pg_inherits
            WHERE inhparent = :table::oid OR inhrelid = :table::oid))::text
          """);

  private static final Sql FOREIGN_PARTITION =
      Sql.of(
          """
          SELECT format('%s', t.relid) FROM pg_partition_tree(:table::oid::regclass) t
          JOIN pg_class c ON c.oid = t.relid WHERE c.relkind = 'f' ORDER BY 1 LIMIT 1
          """);

  /**
   * An unlogged table or partition. A partitioned table is skipped, since it has no rows of its
   * own.
   */
  private static final Sql UNLOGGED =
      Sql.of(
          """
          SELECT format('%s', c.oid::regclass) FROM pg_class c
          WHERE (c.oid = :table::oid
              OR c.oid IN (SELECT t.relid FROM pg_partition_tree(:table::oid::regclass) t))
            AND c.relkind = 'r' AND c.relpersistence = 'u' ORDER BY 1 LIMIT 1
          """);

  private String text(Sql question, long table) throws SQLException {
    try (SqlStatement statement = question.on(connection)) {
      return statement.set("table", table).first(row -> row.getString(1)).orElse("");
    }
  }
}
