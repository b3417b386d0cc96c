package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
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
    try {
      if (!given.isWrapperFor(PGConnection.class)) {
        throw new DatabaseException(
            DatabaseErrorKind.UNUSABLE,
            "the given data source does not give connections of PostgreSQL's driver");
      }
      given.setAutoCommit(true);
      given.setClientInfo("ApplicationName", applicationName);
      return GivenConnection.of(given);
    } catch (SQLException | RuntimeException e) {
      given.close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return "the given data source";
  }
}
