package dev.recorder.audit.postgres;

import dev.recorder.audit.documents.EntityRecords;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.postgres.QuerySession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records that the verifier of rebuilt documents reads, in PostgreSQL. Throws {@link
 * DatabaseException}.
 */
public final class JdbcEntityRecords implements EntityRecords {
  private final Connection connection;
  private final JdbcRequestRecords requests;
  private final EntityQuery query;
  private final QuerySession queries;

  public JdbcEntityRecords(
      Connection connection,
      SchemaNames schemas,
      RecorderName recorder,
      EntityQuery query,
      QuerySession queries) {
    this.connection = connection;
    this.requests = new JdbcRequestRecords(connection, schemas, recorder);
    this.query = query;
    this.queries = queries;
  }

  @Override
  public List<String> entities(@Nullable String after, int limit) {
    return requests.entities(after, limit);
  }

  @Override
  public List<RecordedRequest> of(String entity) {
    return requests.of(entity);
  }

  @Override
  public EntitySnapshot state(String entity) {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      List<RecordedRequest> rows = requests.of(entity);
      EntityState state = state(entity, exported());
      if (state instanceof EntityState.EntityFound there) {
        return new EntitySnapshot(rows, there.json(), "");
      }
      return new EntitySnapshot(rows, null, fault(state));
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private static final Sql EXPORT = Sql.of("SELECT pg_export_snapshot()");

  private String exported() throws SQLException {
    try (SqlStatement statement = EXPORT.on(connection)) {
      return statement.first(row -> row.getString(1)).orElse("");
    }
  }

  private EntityState state(String entity, String snapshot) throws SQLException {
    QuerySession.QueryAnswer answer = queries.read(query, entity, Integer.MAX_VALUE, snapshot);
    EntityState state = answer.state();
    return state == null ? new EntityState.NotNow("a document of more than 2 GiB") : state;
  }

  private static String fault(EntityState state) {
    if (state instanceof EntityState.Unfit unfit) {
      return unfit.why();
    }
    return state instanceof EntityState.NotNow failed ? failed.why() : "";
  }
}
