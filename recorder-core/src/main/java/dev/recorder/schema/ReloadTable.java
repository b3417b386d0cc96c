package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;

/**
 * The table by which operators ask machines to read their files again. Nobody needs it in order to
 * record.
 *
 * <p>Who asked is the server's to say: the role of the machines may not write these columns, unless
 * it owns the table.
 */
record ReloadTable(SchemaNames names) {
  /** The table's name. */
  static final String NAME = "reload_orders";

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {reload_orders} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        machine text NOT NULL,
        pid int NOT NULL,
        backend_start timestamptz NOT NULL,
        dry_run boolean NOT NULL,
        file text NOT NULL CHECK (length(file) <= 4096),
        state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'taken', 'done', 'withdrawn')),
        asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        take_within_ms int NOT NULL CHECK (take_within_ms BETWEEN 1 AND 3600000),
        asked_by text NOT NULL DEFAULT session_user,
        client_addr inet DEFAULT inet_client_addr(),
        os_user text NOT NULL CHECK (length(os_user) <= 200),
        taken_at timestamptz,
        ended_at timestamptz,
        answer json
      )
      """;

  private static final String INDEX =
      """
      CREATE INDEX IF NOT EXISTS reload_orders_new ON {reload_orders} (machine, id)
      WHERE state = 'new'
      """;

  /** DDL. */
  List<String> create() {
    return List.of(Sql.in(names, CREATE).text(), Sql.in(names, INDEX).text());
  }

  private static final String GRANT =
      """
      GRANT INSERT (machine, pid, backend_start, dry_run, file, take_within_ms, os_user),
        UPDATE (state, taken_at, ended_at, answer), DELETE ON {reload_orders} TO {role}\
      """;

  /**
   * Rights of the machines.
   *
   * @param role quoted
   */
  String grant(String role) {
    return Sql.in(names, GRANT, Map.of("role", role)).text();
  }
}
