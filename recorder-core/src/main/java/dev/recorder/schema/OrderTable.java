package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;

/**
 * A table by which operators order something of machines. Nobody needs it in order to record.
 *
 * <p>The server notes who asked: the role of the machines may not write these columns, unless it
 * owns the table.
 */
record OrderTable(SchemaNames names, OrderContent content) {
  /** What is ordered. */
  enum OrderContent {
    /** To read the file again. */
    RELOAD(
        "reload_orders",
        "dry_run, file",
        """
        dry_run boolean NOT NULL,
          file text NOT NULL CHECK (length(file) <= 4096)\
        """),

    /** To be drained, and other things. */
    HOST(
        "host_orders",
        "wish, recorder",
        """
        wish text NOT NULL CHECK (wish IN ('drain', 'undrain', 'rehearse')),
          recorder text NOT NULL\
        """);

    private final String table;
    private final String columns;
    private final String declared;

    OrderContent(String table, String columns, String declared) {
      this.table = table;
      this.columns = columns;
      this.declared = declared;
    }
  }

  /** The table's name. */
  String name() {
    return content.table;
  }

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {orders} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        machine text NOT NULL,
        pid int NOT NULL,
        backend_start timestamptz NOT NULL,
        {declared},
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
      CREATE INDEX {name}_new ON {orders} (machine, id)
      WHERE state = 'new'
      """;

  /** DDL. */
  List<String> create() {
    return List.of(
        filled(CREATE, ""),
        MissingIndex.sql(names.table(content.table + "_new"), filled(INDEX, "")));
  }

  private static final String GRANT =
      """
      GRANT INSERT (machine, pid, backend_start, {columns}, take_within_ms, os_user),
        UPDATE (state, taken_at, ended_at, answer), DELETE ON {orders} TO {role}\
      """;

  /**
   * Rights of the machines.
   *
   * @param role quoted
   */
  String grant(String role) {
    return filled(GRANT, role);
  }

  private String filled(String text, String role) {
    return Sql.in(
            names,
            text,
            Map.of(
                "orders",
                names.table(content.table),
                "name",
                content.table,
                "declared",
                content.declared,
                "columns",
                content.columns,
                "role",
                role))
        .text();
  }
}
