package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;

/**
 * The table by which operators have a machine drained, and ask it other things. Nobody needs it in
 * order to record.
 *
 * <p>Who asked is the server's to say: the role of the machines may not write these columns, unless
 * it owns the table.
 */
record HostOrderTable(SchemaNames names) {
  /** The table's name. */
  static final String NAME = "host_orders";

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {host_orders} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        machine text NOT NULL,
        pid int NOT NULL,
        backend_start timestamptz NOT NULL,
        wish text NOT NULL CHECK (wish IN ('drain', 'undrain', 'rehearse')),
        recorder text NOT NULL,
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
      CREATE INDEX IF NOT EXISTS host_orders_new ON {host_orders} (machine, id)
      WHERE state = 'new'
      """;

  /** DDL. */
  List<String> create() {
    return List.of(Sql.in(names, CREATE).text(), Sql.in(names, INDEX).text());
  }

  private static final String GRANT =
      """
      GRANT INSERT (machine, pid, backend_start, wish, recorder, take_within_ms, os_user),
        UPDATE (state, taken_at, ended_at, answer), DELETE ON {host_orders} TO {role}\
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
