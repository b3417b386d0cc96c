package dev.recorder.app.harness;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** Who makes an application's tables in a cluster's database, and has them captured. */
public record SiteAdministrator(Cluster cluster) {
  private static final int ATTEMPTS = 30;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

  /** As the application, which owns the tables. */
  public void makeTables(List<String> definitions) throws SQLException {
    try (Connection application = cluster.database().connect();
        Statement statement = application.createStatement()) {
      for (String definition : definitions) {
        statement.execute(definition);
      }
    }
  }

  /** Runs what a command prints; later again, as it says, if it met somebody's lock. */
  public void administer(String... command) throws SQLException {
    String script = run(command);
    for (int attempt = 1; !isDone(script, attempt == ATTEMPTS); attempt++) {
      Pause.sleepRegardless(BETWEEN_ATTEMPTS);
    }
  }

  private boolean isDone(String script, boolean isLast) throws SQLException {
    try (Connection administrator = cluster.database().connectAsSuperuser();
        Statement statement = administrator.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(script);
      return true;
    } catch (SQLException e) {
      if (isLast || SqlStates.kindOf(e) != DatabaseErrorKind.BUSY) {
        throw e;
      }
      return false;
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
