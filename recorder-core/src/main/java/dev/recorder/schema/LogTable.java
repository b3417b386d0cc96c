package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import java.util.List;

/**
 * The hand-off table of a log.
 *
 * <p>Partitioned from the first day, with one default partition: later partitions can be added,
 * detached and truncated underneath, while producers keep writing to the one name. {@code xid} and
 * {@code id} are the database's to give: a CHECK ({@link TableCheck#ownNumbers}) turns away rows
 * that bring numbers of another database, NOT VALID so that a dump can be restored and repaired.
 * The two numbers that a repair gives ({@code Rebase}) lie below all that a server gives to
 * transactions of users. Another CHECK turns away payloads that are too large.
 */
record LogTable(SchemaNames names, RecorderName recorder) {

  List<String> create(long maxPayload) {
    String table = names.handoffTable(recorder);
    String partition = names.table("handoff_" + recorder + "_default");
    return List.of(
        """
        CREATE TABLE IF NOT EXISTS %s (
          id bigint GENERATED ALWAYS AS IDENTITY,
          xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
          time timestamptz NOT NULL DEFAULT now() CHECK (isfinite(time)),
          key text,
          payload json NOT NULL
        ) PARTITION BY RANGE (time)"""
            .formatted(table),
        "CREATE TABLE IF NOT EXISTS %s PARTITION OF %s DEFAULT".formatted(partition, table),
        "CREATE INDEX IF NOT EXISTS %s_xid_id ON %s (xid, id)".formatted(recorder, table),
        TableCheck.ownNumbers(names, recorder).sql(),
        TableCheck.shortKey(names, recorder).sql(),
        new PayloadLimit(names, recorder, maxPayload).sql());
  }

  /** Their names. */
  static List<String> indexes(RecorderName recorder) {
    return List.of(recorder + "_xid_id");
  }

  /** To read it, and to write ticks. */
  String grant(String role) {
    return "GRANT SELECT, INSERT (key, payload) ON %s TO %s"
        .formatted(names.handoffTable(recorder), role);
  }

  /** Keys and payloads, no more. */
  List<String> grantToProducers() {
    return List.of(
        "GRANT INSERT (key, payload) ON %s TO %s"
            .formatted(names.handoffTable(recorder), Schema.PRODUCERS));
  }
}
