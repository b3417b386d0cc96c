package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;

/**
 * The table of the races that stores have lost in their test, for all hosts and for good: the
 * machines may add to it and take nothing away, unless they own it. Nobody needs it in order to
 * record; without it each process knows only what it has seen itself.
 */
record LostRaceTable(SchemaNames names) {
  /** The table's name. */
  static final String NAME = "lost_races";

  /** No unique key: who adds to it never waits for somebody else who does, or who deletes. */
  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {lost_races} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        endpoint text NOT NULL,
        bucket text NOT NULL,
        promise text NOT NULL CHECK (promise IN ('create', 'replace')),
        machine text NOT NULL,
        what text NOT NULL
      )
      """;

  /** DDL. */
  List<String> create() {
    return List.of(Sql.in(names, CREATE).text());
  }

  private static final String GRANT =
      "GRANT INSERT (endpoint, bucket, promise, machine, what) ON {lost_races} TO {role}";

  /**
   * Rights of the machines, beside reading.
   *
   * @param role quoted
   */
  String grant(String role) {
    return Sql.in(names, GRANT, Map.of("role", role)).text();
  }
}
