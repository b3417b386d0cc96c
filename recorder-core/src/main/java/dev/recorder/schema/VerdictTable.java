package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;

/**
 * The table of what was found when logs were last verified on a schedule. Nobody needs it in order
 * to record; without it nothing is verified on a schedule.
 */
record VerdictTable(SchemaNames names) {
  /** The table's name. */
  static final String NAME = "verdicts";

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {verdicts} (
        lock_id int PRIMARY KEY,
        recorder text NOT NULL,
        every_ms bigint,
        since timestamptz NOT NULL DEFAULT clock_timestamp(),
        started_at timestamptz,
        ended_at timestamptz,
        machine text,
        ok boolean,
        whole boolean,
        from_slot bigint,
        to_slot bigint,
        fault_count bigint,
        findings json,
        next_from bigint,
        log_uuid uuid,
        rebased_slot bigint,
        asked_at timestamptz,
        asked_by text CHECK (length(asked_by) <= 200),
        tried_at timestamptz,
        trouble text
      )
      """;

  /** DDL. */
  List<String> create() {
    return List.of(Sql.in(names, CREATE).text());
  }

  /**
   * Rights of the machines, beside reading.
   *
   * @param role quoted
   */
  String grant(String role) {
    return Sql.in(names, "GRANT INSERT, UPDATE ON {verdicts} TO {role}", Map.of("role", role))
        .text();
  }
}
