package dev.recorder.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Opens connections. {@code toString} names the database, without secrets. Thread-safe. */
interface ConnectionSource {
  /**
   * Opens a session with the server's own settings.
   *
   * @param properties further driver properties, for sources that use the driver
   */
  Connection connect(String applicationName, Map<String, String> properties) throws SQLException;

  /**
   * Returns the name by which all hosts know the database; empty if the caller supplies the
   * connections.
   */
  default String reachedAs() {
    return "";
  }
}
