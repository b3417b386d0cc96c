package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;

/** Whether a hand-off table is one for the recorder's kind, and keeps what a log needs. */
public final class HandoffShape {
  private final String table;
  private final RecorderKind kind;

  public HandoffShape(SchemaNames names, RecorderName recorder, RecorderKind kind) {
    this.table = names.handoffTable(recorder);
    this.kind = kind;
  }

  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT count(*) FILTER (WHERE attname = 'request_status') > 0,
            max(format_type(atttypid, NULL)) FILTER (WHERE attname = 'payload')
          FROM pg_attribute a
          JOIN pg_class c ON c.oid = a.attrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = split_part(:table, '.', 1)::name
            AND c.relname = split_part(:table, '.', 2)::name AND a.attnum > 0 AND NOT a.attisdropped
          HAVING count(*) > 0
          """);

  /** What is wrong, and the remedy; empty if nothing is, or there is no such table. */
  public String fault(Connection connection) throws SQLException {
    try (SqlStatement statement = COLUMNS.on(connection)) {
      return statement
          .set("table", table)
          .first(row -> fault(row.getBoolean(1), String.valueOf(row.getString(2))))
          .orElse("");
    }
  }

  private String fault(boolean requests, String payloadType) {
    String kindFault = kind(requests);
    return kindFault.isEmpty() ? payload(payloadType) : kindFault;
  }

  private String kind(boolean requests) {
    return requests == (kind == RecorderKind.REQUESTS)
        ? ""
        : "table %s is one of kind = %s, this file says kind = %s; give the recorder another name"
            .formatted(
                table, (requests ? RecorderKind.REQUESTS : RecorderKind.LOG).word(), kind.word());
  }

  /**
   * A slot is planned as bytes: the next active machine could not make the same object again of a
   * payload that {@code jsonb} has rewritten, nor could the verifier compare it.
   */
  private String payload(String type) {
    return kind == RecorderKind.REQUESTS || type.equals("json")
        ? ""
        : """
        column payload of table %1$s has become %2$s, which does not keep what producers wrote \
        byte for byte; let its owner run: ALTER TABLE %1$s ALTER COLUMN payload TYPE json"""
            .formatted(table, type);
  }
}
