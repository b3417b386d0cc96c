package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;

/**
 * The table of pauses: who paused a recorder until when, and who resumed it. Nobody needs it in
 * order to record. Machines see by it what is paused, so that they need not look at {@code
 * lock_recorders}, of which each slot writes a new version, as long as none is.
 *
 * <p>The server notes who it was: the role of the machines may not write these columns, unless it
 * owns the table.
 */
record PauseTable(SchemaNames names) {
  /** The table's name. */
  static final String NAME = "pauses";

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {pauses} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        lock_id int NOT NULL,
        recorder text NOT NULL,
        until timestamptz,
        reason text,
        db_user text NOT NULL DEFAULT session_user,
        db_client text NOT NULL DEFAULT coalesce(host(inet_client_addr()), 'local'),
        os_user text NOT NULL CHECK (length(os_user) <= 200),
        CHECK ((until IS NULL) = (reason IS NULL))
      )
      """;

  private static final String BY_RECORDER = "CREATE INDEX pauses_latest ON {pauses} (lock_id, id)";

  /** However many there were, those that last are found without a look at the others. */
  private static final String BY_END = "CREATE INDEX pauses_until ON {pauses} (until)";

  /** DDL. */
  List<String> create() {
    return List.of(
        Sql.in(names, CREATE).text(),
        MissingIndex.sql(names.table("pauses_latest"), Sql.in(names, BY_RECORDER).text()),
        MissingIndex.sql(names.table("pauses_until"), Sql.in(names, BY_END).text()));
  }

  private static final String GRANT =
      "GRANT INSERT (lock_id, recorder, until, reason, os_user) ON {pauses} TO {role}";

  /**
   * Rights of the machines, beside reading.
   *
   * @param role quoted
   */
  String grant(String role) {
    return Sql.in(names, GRANT, Map.of("role", role)).text();
  }
}
