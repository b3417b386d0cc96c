package dev.recorder.testing;

import dev.recorder.postgres.sql.SqlAction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;

/**
 * A connection of which each statement is told before it is made, and sent in other words.
 *
 * @param before hears of a statement, or {@code COMMIT}
 * @param words that are sent in the place of others
 */
public record TappedConnection(
    Connection real, SqlAction<String> before, UnaryOperator<String> words) {

  public Connection tapped() {
    return proxy(Connection.class, real, this::call);
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "prepareStatement" -> {
        String sql = (String) arguments[0];
        before.apply(sql);
        arguments[0] = words.apply(sql);
      }
      case "commit" -> before.apply("COMMIT");
      case "createStatement" -> {
        Statement statement = real.createStatement();
        return proxy(Statement.class, statement, (each, with) -> execute(statement, each, with));
      }
      case "unwrap" -> {
        return proxy(PGConnection.class, real.unwrap(PGConnection.class), this::unwrapped);
      }
      default -> {}
    }
    return invoke(real, method, arguments);
  }

  private @Nullable Object execute(Statement statement, Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().startsWith("execute")) {
      String sql = (String) arguments[0];
      before.apply(sql);
      arguments[0] = words.apply(sql);
    }
    return invoke(statement, method, arguments);
  }

  private @Nullable Object unwrapped(Method method, Object[] arguments) throws Throwable {
    PGConnection driver = real.unwrap(PGConnection.class);
    if (method.getName().equals("getCopyAPI")) {
      return new CopyManager((BaseConnection) driver) {
        @Override
        public CopyOut copyOut(String sql) throws SQLException {
          before.apply(sql);
          return super.copyOut(words.apply(sql));
        }
      };
    }
    return invoke(driver, method, arguments);
  }

  /** Does a call in the place of another object. */
  private interface Call {
    @Nullable Object on(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, T target, Call call) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            method.getDeclaringClass() == Object.class
                ? invoke(target, method, arguments)
                : call.on(method, arguments);
    return type.cast(
        Proxy.newProxyInstance(
            TappedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object invoke(Object target, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
