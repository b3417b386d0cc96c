package dev.recorder.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions that end while they are used, or that something else happens to. */
public final class EndingSession {
  private static final Set<String> COUNTED =
      Set.of("prepareStatement", "createStatement", "commit", "unwrap");

  private EndingSession() {}

  /** What happens to a session, or beside it. */
  @FunctionalInterface
  public interface Disturbance {
    void happens() throws SQLException;
  }

  /** A session that is ended when it is asked for a statement or a commit for the n-th time. */
  public static Connection after(int calls, Connection real) {
    return disturbed(calls, real, () -> real.abort(Runnable::run));
  }

  /** A session that is disturbed when it is asked for a statement or a commit that often. */
  public static Connection disturbed(int calls, Connection real, Disturbance disturbance) {
    AtomicInteger asked = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (COUNTED.contains(method.getName()) && asked.incrementAndGet() == calls) {
                disturbance.happens();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
