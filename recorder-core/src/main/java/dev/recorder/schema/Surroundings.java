package dev.recorder.schema;

import dev.recorder.postgres.RdsManager;

/**
 * What a starting machine finds that keeps nothing from running, and an operator should know.
 *
 * @param version of the server
 * @param damagesIndexes whether this version makes indexes that miss rows
 * @param role of all machines
 * @param superuser whether that role may do everything
 */
public record Surroundings(String version, boolean damagesIndexes, String role, boolean superuser) {

  /** Looks, on the manager's session. */
  public static Surroundings of(RdsManager manager) {
    return manager.call(
        connection -> {
          ServerInfo server = new ServerQueries(manager.schemas()).server(connection);
          return new Surroundings(
              server.version(), server.damagesIndexes(), server.role(), server.superuser());
        });
  }
}
