package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.RequestType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Inserts requests for a front end, in the front end's own transactions: a request exists if and
 * when they commit. Plain INSERT statements do the same.
 *
 * <p>Thread-safe. The caller owns the connections, their exceptions and their {@code search_path},
 * which has no effect here.
 */
public final class RequestClient {
  private static final String ADD =
      """
      INSERT INTO {table} (request_type, entity_id, payload)
      VALUES (:type, :entity, :payload::pg_catalog.json) RETURNING id
      """;

  private static final String FATE =
      """
      SELECT request_status, error_text FROM {table} WHERE id OPERATOR(pg_catalog.=) :id
      """;

  private static final Sql WAKE = Sql.of("SELECT pg_catalog.pg_notify(:channel, '')");

  private final RecorderName recorder;
  private final Sql add;
  private final Sql fate;

  /**
   * Creates a client for one recorder.
   *
   * @param handoffSchema {@code [postgredb] handoff_schema}, {@code handoff} by default
   * @param recorder the recorder's name
   * @throws IllegalArgumentException if either is not a valid name
   */
  public RequestClient(String handoffSchema, String recorder) {
    this(new SchemaNames(SchemaNames.DEFAULT.control(), handoffSchema), new RecorderName(recorder));
  }

  RequestClient(SchemaNames schemas, RecorderName recorder) {
    Map<String, String> pieces = Map.of("table", schemas.handoffTable(recorder));
    this.recorder = recorder;
    this.add = Sql.of(ADD, pieces);
    this.fate = Sql.of(FATE, pieces);
  }

  /**
   * Requests a new entity.
   *
   * @param payload JSON; null for none
   * @return the request's id
   * @throws SQLException with SQLSTATE 23505 if the entity already has a create
   */
  public long create(Connection connection, String entity, @Nullable String payload)
      throws SQLException {
    return add(connection, RequestType.CREATE, entity, payload);
  }

  /**
   * Requests a change of an entity, which need not exist yet.
   *
   * @param payload JSON; for the built-in handler a merge patch (RFC 7396)
   * @return the request's id
   */
  public long update(Connection connection, String entity, @Nullable String payload)
      throws SQLException {
    return add(connection, RequestType.UPDATE, entity, payload);
  }

  long add(Connection connection, RequestType type, String entity, @Nullable String payload)
      throws SQLException {
    try (SqlStatement statement = add.on(connection)) {
      return statement
          .set("type", type.word())
          .set("entity", entity)
          .set("payload", payload)
          .number();
    }
  }

  /**
   * Wakes idle back ends, which otherwise look within a second. Inside a transaction, a
   * notification makes the commits of all notifying transactions wait for each other. Therefore
   * call it after the commit, and not for each of many requests.
   */
  public void wake(Connection connection) throws SQLException {
    try (SqlStatement statement = WAKE.on(connection)) {
      statement.set("channel", ListenSession.channel(recorder)).complete().execute();
    }
  }

  /**
   * The state of a request, for applications.
   *
   * @param status as in the table: new, complete or error
   * @param error the reason of the last failure, final or not
   */
  public record RequestState(String status, @Nullable String error) {
    /** Whether the request is complete or an error. */
    public boolean isSettled() {
      return !status.equals("new");
    }
  }

  /** Returns the state of a request; empty if it does not exist, or was cleared. */
  public Optional<RequestState> fate(Connection connection, long id) throws SQLException {
    try (SqlStatement statement = fate.on(connection)) {
      return statement
          .set("id", id)
          .first(row -> new RequestState(row.getString(1), row.getString(2)));
    }
  }
}
