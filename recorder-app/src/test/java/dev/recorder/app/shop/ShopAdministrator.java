package dev.recorder.app.shop;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Who makes the {@link Shop} in a cluster's database, and has it captured. */
record ShopAdministrator(Cluster cluster) {
  /** As the application, which owns the tables. */
  void makeTables() throws SQLException {
    try (Connection application = cluster.database().connect();
        Statement statement = application.createStatement()) {
      for (String definition : Shop.DEFINITIONS) {
        statement.execute(definition);
      }
    }
  }

  /** Runs what a command prints. */
  void administer(String... command) throws SQLException {
    String script = run(command);
    try (Connection administrator = cluster.database().connectAsSuperuser();
        Statement statement = administrator.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script);
    }
  }

  /** What a command prints that is to end well. */
  String run(String... command) {
    Product.Outcome said = cluster.run(command);
    if (said.exitCode() != 0) {
      throw new IllegalStateException(
          "%s: exit code %d, %s"
              .formatted(String.join(" ", command), said.exitCode(), said.output()));
    }
    return said.output();
  }
}
