package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Opens sessions on connections of the caller's data source, which is usually a pool. */
final class DataSourceConnections implements ConnectionSource {
  private final DataSource source;

  DataSourceConnections(DataSource source) {
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
      return CallersConnection.of(given);
    } catch (SQLException | RuntimeException e) {
      given.close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return "the given data source";
  }

  /**
   * A connection of the caller's pool. It has the recorder's settings and possibly locks, so it is
   * not returned for reuse: it is ended, and a failing call makes the pool notice.
   */
  private static final class CallersConnection implements InvocationHandler {
    private final Connection given;
    private final AtomicBoolean ended = new AtomicBoolean();

    private CallersConnection(Connection given) {
      this.given = given;
    }

    static Connection of(Connection given) {
      return (Connection)
          Proxy.newProxyInstance(
              CallersConnection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              new CallersConnection(given));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      if (method.getName().equals("equals") && arguments != null) {
        return proxy == arguments[0];
      } else if (method.getName().equals("close")) {
        end(Runnable::run);
        return null;
      } else if (method.getName().equals("abort") && arguments != null) {
        end((Executor) arguments[0]);
        return null;
      }
      try {
        return method.invoke(given, arguments);
      } catch (InvocationTargetException failed) {
        throw failed.getCause();
      }
    }

    /**
     * Ends the connection on the executor, and only then lets the pool notice. A pool that notices
     * too early lends a connection that is about to end.
     */
    private void end(Executor executor) {
      if (ended.compareAndSet(false, true)) {
        executor.execute(this::endNow);
      }
    }

    private void endNow() {
      try (Connection back = given) {
        SqlConnections.abort((Connection) back.unwrap(PGConnection.class), Runnable::run);
        tellThePool();
      } catch (SQLException gone) {
        // It is closed already.
      }
    }

    /** Makes a call fail, since a pool drops a connection on which a call has failed. */
    private void tellThePool() {
      try (Statement statement = given.createStatement()) {
        statement.execute("");
      } catch (SQLException asMeant) {
        // Expected: the connection has ended.
      }
    }
  }
}
