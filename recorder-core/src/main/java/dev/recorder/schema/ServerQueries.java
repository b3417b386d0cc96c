package dev.recorder.schema;

import dev.recorder.postgres.LockHolder;
import dev.recorder.postgres.LockHolders;
import dev.recorder.postgres.SchemaNames;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What operators ask about the server itself: role, tables, rights and locks. */
public final class ServerQueries {
  /** A lockid that no recorder can have. */
  private static final int UNUSED_LOCK_ID = 0;

  private final SchemaNames schemas;

  public ServerQueries(SchemaNames schemas) {
    this.schemas = schemas;
  }

  public ServerInfo server(Connection connection) throws SQLException {
    String sql =
        "SELECT current_user, rolsuper,"
            + " has_database_privilege(current_database(), 'CREATE')"
            + " FROM pg_roles WHERE rolname = current_user";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new ServerInfo(
          connection.getMetaData().getDatabaseProductVersion(),
          damagesIndexes(connection),
          row.getString(1),
          row.getBoolean(2),
          row.getBoolean(3));
    }
  }

  /** 14.0 to 14.3, where an index that is made or rebuilt concurrently may miss rows. */
  private static boolean damagesIndexes(Connection connection) throws SQLException {
    DatabaseMetaData server = connection.getMetaData();
    return server.getDatabaseMajorVersion() == 14 && server.getDatabaseMinorVersion() < 4;
  }

  public int connectionLimit(Connection connection) throws SQLException {
    // reserved_connections came with version 16.
    String sql =
        "SELECT least(current_setting('max_connections')::int"
            + " - current_setting('superuser_reserved_connections')::int"
            + " - coalesce(current_setting('reserved_connections', true)::int, 0),"
            + " nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1))"
            + " FROM pg_catalog.pg_roles r, pg_catalog.pg_database d"
            + " WHERE r.rolname = current_user AND d.datname = current_database()";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }

  public List<MissingRight> missingRights(Connection connection, List<HandoffUse> uses)
      throws SQLException {
    List<MissingRight> missing = new ArrayList<>(Rights.control(schemas).missing(connection));
    if (!uses.isEmpty()) {
      missing.addAll(Rights.handoff(schemas, uses).missing(connection));
    }
    return missing;
  }

  public Optional<Integer> schemaVersion(Connection connection) throws SQLException {
    if (!exists(connection, schemas.table("schema_info"))) {
      return Optional.empty();
    }
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT max(version) FROM " + schemas.table("schema_info"))) {
      row.next();
      return Optional.of(row.getInt(1));
    }
  }

  public Optional<LockHolder> lockHolder(Connection connection, int lockId) throws SQLException {
    return new LockHolders(schemas).of(connection, lockId);
  }

  public boolean tryLocks(Connection connection) throws SQLException {
    return lock(connection, "SELECT pg_try_advisory_lock(?, ?)")
        && lock(connection, "SELECT pg_advisory_unlock(?, ?)");
  }

  private boolean lock(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, schemas.lockNamespace());
      statement.setInt(2, UNUSED_LOCK_ID);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /** Which recorder has this lockid. */
  public Optional<String> recorderAt(Connection connection, int lockId) throws SQLException {
    String sql = "SELECT recorder FROM " + schemas.table("lock_recorders") + " WHERE lock_id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, lockId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }

  /** Whether there is such a table; also one in a schema that this role may not use. */
  public static boolean exists(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                + " WHERE n.nspname || '.' || c.relname = ?)")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
