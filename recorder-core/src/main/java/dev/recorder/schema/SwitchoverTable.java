package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;

/**
 * The table of operators' orders to hand a recorder over: who gave them, and what became of them.
 * Nobody needs it in order to record.
 *
 * <p>The server notes who asked: the role of the machines may not write these columns, unless it
 * owns the table.
 */
record SwitchoverTable(SchemaNames names) {
  /** The table's name. */
  static final String NAME = "switchovers";

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {switchovers} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        lock_id int NOT NULL,
        recorder text NOT NULL,
        to_machine text NOT NULL,
        within_ms int NOT NULL CHECK (within_ms BETWEEN 1 AND 3600000),
        state text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'accepted', 'withdrawn')),
        epoch bigint,
        ended_at timestamptz,
        db_user text NOT NULL DEFAULT session_user,
        db_client text NOT NULL DEFAULT coalesce(host(inet_client_addr()), 'local'),
        os_user text NOT NULL CHECK (length(os_user) <= 200)
      )
      """;

  /** One at a time for each recorder: two operators must not take turns at a wish. */
  private static final String ONE =
      """
      CREATE UNIQUE INDEX switchovers_new ON {switchovers} (lock_id)
      WHERE state = 'new'
      """;

  /** DDL. */
  List<String> create() {
    return List.of(
        Sql.in(names, CREATE).text(),
        MissingIndex.sql(names.table("switchovers_new"), Sql.in(names, ONE).text()));
  }

  private static final String GRANT =
      """
      GRANT INSERT (lock_id, recorder, to_machine, within_ms, os_user),
        UPDATE (state, epoch, ended_at), DELETE ON {switchovers} TO {role}\
      """;

  /**
   * Rights of the machines, beside reading.
   *
   * @param role quoted
   */
  String grant(String role) {
    return Sql.in(names, GRANT, Map.of("role", role)).text();
  }
}
