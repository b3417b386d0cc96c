package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/** Sessions out of somebody else's data source, mostly a pool. */
final class GivenSource implements ConnectionSource {
  private final DataSource source;

  GivenSource(DataSource source) {
    this.source = source;
  }

  @Override
  public Connection connect(String applicationName, Map<String, String> unused)
      throws SQLException {
    Connection given = source.getConnection();
    if (!given.isWrapperFor(PGConnection.class)) {
      given.close();
      throw new DatabaseException(
          Kind.UNUSABLE, "the given data source does not give connections of PostgreSQL's driver");
    }
    Connection ours = GivenConnection.of(given);
    ours.setAutoCommit(true);
    ours.setClientInfo("ApplicationName", applicationName);
    return ours;
  }

  @Override
  public String toString() {
    return "the given data source";
  }
}
