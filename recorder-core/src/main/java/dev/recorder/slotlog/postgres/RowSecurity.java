package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Checks whether row-level security may hide rows of a hand-off table from this session's role. A
 * hidden row would be skipped for good, so the setting {@code row_security} makes reads fail
 * instead.
 */
public final class RowSecurity {
  private final String table;

  public RowSecurity(SchemaNames names, RecorderName recorder) {
    this.table = names.handoffTable(recorder);
  }

  private static final Sql ACTIVE =
      Sql.of(
          """
          SELECT row_security_active(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = split_part(:table, '.', 1)::name
            AND c.relname = split_part(:table, '.', 2)::name
          """);

  /** Returns the fault and its remedy; empty if there is no fault or no such table. */
  public String fault(Connection connection) throws SQLException {
    try (SqlStatement statement = ACTIVE.on(connection)) {
      boolean active = statement.set("table", table).first(row -> row.getBoolean(1)).orElse(false);
      return active ? because() : "";
    }
  }

  private String because() {
    return """
    row-level security of table %1$s may hide rows from the recorder's role, whatever its policies \
    say today, and what is hidden would not be recorded; let its owner run: ALTER TABLE %1$s DISABLE \
    ROW LEVEL SECURITY, or give the role BYPASSRLS, or the table, without FORCE"""
        .formatted(table);
  }
}
