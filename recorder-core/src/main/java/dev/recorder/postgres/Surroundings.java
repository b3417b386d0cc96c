package dev.recorder.postgres;

/**
 * What a starting machine finds that keeps nothing from running, and an operator should know.
 *
 * @param role of all machines
 * @param superuser whether that role may do everything
 */
public record Surroundings(String role, boolean superuser) {

  /** Looks, on the manager's session. */
  public static Surroundings of(RdsManager manager) {
    return manager.call(
        connection -> {
          Inspection.Server server = new ServerQueries(manager.schemas()).server(connection);
          return new Surroundings(server.role(), server.superuser());
        });
  }
}
