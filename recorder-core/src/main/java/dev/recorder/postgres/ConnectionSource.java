package dev.recorder.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** Where sessions come from. Its text says which database it is, without secrets. Thread-safe. */
interface ConnectionSource {
  /**
   * A new session, with the server's own settings.
   *
   * @param properties further ones of the driver, for whoever makes connections itself
   */
  Connection connect(String applicationName, Map<String, String> properties) throws SQLException;

  /** What hosts call the database together; empty where a caller gives the connections. */
  default String reachedAs() {
    return "";
  }
}
