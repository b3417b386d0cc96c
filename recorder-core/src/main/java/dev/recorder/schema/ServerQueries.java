package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.holders.AdvisoryLockKey;
import dev.recorder.postgres.holders.LockHolder;
import dev.recorder.postgres.holders.LockHolders;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queries about the server: role, tables, rights and locks. */
public final class ServerQueries {
  /** A lockid that no recorder can have. */
  private static final int UNUSED_LOCK_ID = 0;

  private final SchemaNames schemas;
  private final Sql schemaVersion;
  private final Sql recorderAt;

  public ServerQueries(SchemaNames schemas) {
    this.schemas = schemas;
    this.schemaVersion = Sql.in(schemas, "SELECT max(version) FROM {schema_info}");
    this.recorderAt =
        Sql.in(schemas, "SELECT recorder FROM {lock_recorders} WHERE lock_id = :lock");
  }

  private static final Sql SERVER =
      Sql.of(
          """
          SELECT current_user, rolsuper, has_database_privilege(current_database(), 'CREATE'),
            current_setting('transaction_read_only')::boolean
          FROM pg_roles WHERE rolname = current_user
          """);

  public ServerInfo server(Connection connection) throws SQLException {
    try (SqlStatement statement = SERVER.on(connection)) {
      return statement
          .first(
              row ->
                  new ServerInfo(
                      connection.getMetaData().getDatabaseProductVersion(),
                      damagesIndexes(connection),
                      row.getString(1),
                      row.getBoolean(2),
                      row.getBoolean(3),
                      row.getBoolean(4)))
          .orElseThrow();
    }
  }

  /**
   * Whether the version is 14.0 to 14.3, where an index that is created or rebuilt concurrently may
   * miss rows.
   */
  private static boolean damagesIndexes(Connection connection) throws SQLException {
    DatabaseMetaData server = connection.getMetaData();
    return server.getDatabaseMajorVersion() == 14 && server.getDatabaseMinorVersion() < 4;
  }

  /** The setting {@code reserved_connections} came with version 16. */
  private static final Sql CONNECTION_LIMIT =
      Sql.of(
          """
          SELECT least(
            current_setting('max_connections')::int
              - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true)::int, 0),
            nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1))
          FROM pg_catalog.pg_roles r, pg_catalog.pg_database d
          WHERE r.rolname = current_user AND d.datname = current_database()
          """);

  public int connectionLimit(Connection connection) throws SQLException {
    try (SqlStatement statement = CONNECTION_LIMIT.on(connection)) {
      return (int) statement.number();
    }
  }

  /**
   * Returns missing rights without which rows cannot be recorded or cleared, including those to
   * create tables.
   */
  public List<MissingRight> missingRights(Connection connection, List<HandoffUse> uses)
      throws SQLException {
    List<MissingRight> missing = new ArrayList<>(Rights.control(schemas).missing(connection));
    List<HandoffUse> made = new ArrayList<>();
    for (HandoffUse use : uses) {
      String table = schemas.handoffTable(use.recorder());
      if (exists(connection, table)) {
        made.add(use);
      } else {
        Rights.creating(schemas, use).missing(connection).stream()
            .map(right -> right.forWant(table))
            .forEach(missing::add);
      }
    }
    if (!made.isEmpty()) {
      missing.addAll(Rights.handoff(schemas, made).missing(connection));
    }
    List<RecorderName> cleared = new ArrayList<>();
    for (HandoffUse use : uses) {
      if (use.clears() && exists(connection, schemas.handoffLeaf(use.recorder(), 0))) {
        cleared.add(use.recorder());
      }
    }
    if (!cleared.isEmpty()) {
      missing.addAll(Rights.clearing(schemas, cleared).missing(connection));
    }
    return missing;
  }

  /** As {@link #missingRights}, with the rights that commands need on existing tables. */
  public List<MissingRight> missingToOperate(Connection connection, List<HandoffUse> uses)
      throws SQLException {
    List<MissingRight> missing = new ArrayList<>(missingRights(connection, uses));
    for (MissingRight right : Rights.operating(schemas).missing(connection)) {
      if (exists(connection, right.on())) {
        missing.add(right);
      }
    }
    return missing;
  }

  public Optional<Integer> schemaVersion(Connection connection) throws SQLException {
    if (!exists(connection, schemas.table("schema_info"))) {
      return Optional.empty();
    }
    try (SqlStatement statement = schemaVersion.on(connection)) {
      return Optional.of((int) statement.number());
    }
  }

  /** Returns why our control tables are not maintained; empty if they are. */
  public String controlFault(Connection connection) throws SQLException {
    return ActiveRecorders.fault(connection, schemas);
  }

  public Optional<LockHolder> lockHolder(Connection connection, int lockId) throws SQLException {
    return LockHolders.of(connection, AdvisoryLockKey.ofLockId(schemas, lockId));
  }

  private static final Sql LOCK = Sql.of("SELECT pg_try_advisory_lock(:namespace, :lock)");
  private static final Sql UNLOCK = Sql.of("SELECT pg_advisory_unlock(:namespace, :lock)");

  public boolean tryLocks(Connection connection) throws SQLException {
    return tryLock(connection, UNUSED_LOCK_ID) && ask(connection, UNLOCK, UNUSED_LOCK_ID);
  }

  /** Takes the lock of a lockid until the session ends, if it is free. */
  public boolean tryLock(Connection connection, int lockId) throws SQLException {
    return ask(connection, LOCK, lockId);
  }

  private boolean ask(Connection connection, Sql sql, int lockId) throws SQLException {
    try (SqlStatement statement = sql.on(connection)) {
      return statement.set("namespace", schemas.lockNamespace()).set("lock", lockId).truth();
    }
  }

  public Optional<String> recorderAt(Connection connection, int lockId) throws SQLException {
    try (SqlStatement statement = recorderAt.on(connection)) {
      return statement.set("lock", lockId).first(row -> row.getString(1));
    }
  }

  private static final Sql EXISTS =
      Sql.of(
          """
          SELECT EXISTS (
            SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = split_part(:table, '.', 1)::name
              AND c.relname = split_part(:table, '.', 2)::name)
          """);

  /** Whether the table exists, even in a schema that this role may not use. */
  public static boolean exists(Connection connection, String table) throws SQLException {
    try (SqlStatement statement = EXISTS.on(connection)) {
      return statement.set("table", table).truth();
    }
  }
}
