package dev.recorder.clearing.race;

import dev.recorder.testing.TappedConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * How often a session has asked for a lock on a table, under which limit each time: others wait
 * behind such a request.
 */
final class LockRequests {
  private final Connection session;
  private final String table;
  private final List<Integer> limitsMillis = new ArrayList<>();

  LockRequests(Connection session, String table) {
    this.session = session;
    this.table = table;
  }

  /** The session, to be used instead of the one that was given. */
  Connection watched() {
    return new TappedConnection(session, this::note, sql -> sql).tapped();
  }

  private void note(String sql) throws SQLException {
    if (sql.startsWith("LOCK TABLE " + table + " ")) {
      limitsMillis.add(lockTimeoutMillis());
    }
  }

  private int lockTimeoutMillis() throws SQLException {
    String ask = "SELECT setting FROM pg_settings WHERE name = 'lock_timeout'";
    try (Statement statement = session.createStatement();
        ResultSet row = statement.executeQuery(ask)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Limits of all requests since this was last asked, as they were in force on the server. */
  List<Integer> limitsMillis() {
    List<Integer> found = List.copyOf(limitsMillis);
    limitsMillis.clear();
    return found;
  }
}
