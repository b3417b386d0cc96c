package dev.recorder.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions that end while they are used. */
public final class EndingSession {
  private static final Set<String> COUNTED =
      Set.of("prepareStatement", "createStatement", "commit", "unwrap");

  private EndingSession() {}

  /** A session that is ended when it is asked for a statement or a commit for the n-th time. */
  public static Connection after(int calls, Connection real) {
    AtomicInteger asked = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (COUNTED.contains(method.getName()) && asked.incrementAndGet() == calls) {
                real.abort(Runnable::run);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
