package dev.recorder.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A connection of somebody else's pool, which is never given back as it is: it has settings of
 * ours, and perhaps locks. It is ended, and the pool is made to notice.
 */
final class GivenConnection implements InvocationHandler {
  private final Connection given;
  private final AtomicBoolean ended = new AtomicBoolean();

  private GivenConnection(Connection given) {
    this.given = given;
  }

  static Connection of(Connection given) {
    return (Connection)
        Proxy.newProxyInstance(
            GivenConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new GivenConnection(given));
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

  /** All of it on the executor: a pool that is told too early lends what is about to end. */
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
      // What cannot be ended is gone already.
    }
  }

  /** A pool drops a connection on which a call has failed, instead of lending it again. */
  private void tellThePool() {
    try (Statement statement = given.createStatement()) {
      statement.execute("");
    } catch (SQLException asMeant) {
      // Nothing works on it any more.
    }
  }
}
