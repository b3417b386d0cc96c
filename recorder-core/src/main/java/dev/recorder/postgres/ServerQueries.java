package dev.recorder.postgres;

import dev.recorder.handoff.RecorderName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What operators ask about the server itself: role, tables, rights and locks. */
final class ServerQueries {
  /** A lockid that no recorder can have. */
  private static final int UNUSED_LOCK_ID = 0;

  private final SchemaNames schemas;

  ServerQueries(SchemaNames schemas) {
    this.schemas = schemas;
  }

  Inspection.Server server(Connection connection) throws SQLException {
    String sql =
        "SELECT current_setting('server_version'), current_user, rolsuper,"
            + " has_database_privilege(current_database(), 'CREATE')"
            + " FROM pg_roles WHERE rolname = current_user";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new Inspection.Server(
          row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4));
    }
  }

  List<String> missingRights(Connection connection, List<RecorderName> recorders)
      throws SQLException {
    Map<String, String> needed = new LinkedHashMap<>();
    needed.put(schemas.table("schema_info"), "SELECT");
    needed.put(schemas.table("info_recorders"), "SELECT,INSERT,UPDATE");
    needed.put(schemas.table("lock_recorders"), "SELECT,INSERT,UPDATE");
    needed.put(schemas.table("takeovers"), "SELECT,INSERT,UPDATE");
    needed.put(schemas.table("slots"), "SELECT,INSERT");
    needed.put(schemas.table("exclusions"), "SELECT,INSERT");
    recorders.forEach(recorder -> needed.put(schemas.handoffTable(recorder), "SELECT"));
    List<String> missing = new ArrayList<>();
    for (Map.Entry<String, String> entry : needed.entrySet()) {
      if (exists(connection, entry.getKey())) {
        for (String right : entry.getValue().split(",")) {
          if (!hasRight(connection, entry.getKey(), right)) {
            missing.add(right + " on " + entry.getKey());
          }
        }
      } else {
        missing.add("table " + entry.getKey());
      }
    }
    return missing;
  }

  private static boolean hasRight(Connection connection, String table, String right)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT has_table_privilege(?, ?)")) {
      statement.setString(1, table);
      statement.setString(2, right);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  Optional<Integer> schemaVersion(Connection connection) throws SQLException {
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

  Optional<LockHolder> lockHolder(Connection connection, int lockId) throws SQLException {
    String sql =
        "SELECT l.pid, coalesce(a.application_name, ''), coalesce(a.client_addr::text, 'local')"
            + " FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)"
            + " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2"
            + " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            + " AND l.classid::bigint = (?::bigint & 4294967295) AND l.objid::bigint = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, schemas.lockNamespace());
      statement.setInt(2, lockId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new LockHolder(row.getInt(1), row.getString(2), row.getString(3)))
            : Optional.empty();
      }
    }
  }

  boolean tryLocks(Connection connection) throws SQLException {
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

  /** Whether there is such a table, and this role may know of it. */
  static boolean exists(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
