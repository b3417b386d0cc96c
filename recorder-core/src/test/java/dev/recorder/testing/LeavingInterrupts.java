package dev.recorder.testing;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What gives no connection, and leaves an interrupt on the thread of whoever asks. */
public final class LeavingInterrupts {
  private LeavingInterrupts() {}

  /** Each time that it is asked for a connection, {@code asked} is told. */
  public static DataSource source(Runnable asked) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              asked.run();
              Thread.currentThread().interrupt();
              throw new SQLException("no connection", "08001");
            });
  }
}
