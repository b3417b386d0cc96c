package dev.recorder.app.harness;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Who makes an application's tables in a cluster's database, and has them captured. */
public record SiteAdministrator(Cluster cluster) {
  /** As the application, which owns the tables. */
  public void makeTables(List<String> definitions) throws SQLException {
    try (Connection application = cluster.database().connect();
        Statement statement = application.createStatement()) {
      for (String definition : definitions) {
        statement.execute(definition);
      }
    }
  }

  /** Runs what a command prints. */
  public void administer(String... command) throws SQLException {
    String script = run(command);
    try (Connection administrator = cluster.database().connectAsSuperuser();
        Statement statement = administrator.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script);
    }
  }

  /** What a command prints that is to end well. */
  public String run(String... command) {
    Product.Outcome said = cluster.run(command);
    if (said.exitCode() != 0) {
      throw new IllegalStateException(
          "%s: exit code %d, %s"
              .formatted(String.join(" ", command), said.exitCode(), said.output()));
    }
    return said.output();
  }
}
