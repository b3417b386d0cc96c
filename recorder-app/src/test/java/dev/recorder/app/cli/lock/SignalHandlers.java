package dev.recorder.app.cli.lock;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The signal handlers of this process, put back at the end: a command that takes signals for itself
 * takes them for the rest of a process's life. By reflection, as {@code Signals} does it.
 */
final class SignalHandlers implements AutoCloseable {
  private static final List<String> SIGNALS = List.of("HUP", "INT", "TERM", "TSTP");

  private final Method handle;
  private final Map<Object, Object> former = new HashMap<>();

  private SignalHandlers() throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    // A JVM takes no signal again that is ignored.
    Object unhandled = handler.getField("SIG_DFL").get(null);
    handle = signal.getMethod("handle", signal, handler);
    for (String name : SIGNALS) {
      Object subject = signal.getConstructor(String.class).newInstance(name);
      former.put(subject, handle.invoke(null, subject, unhandled));
    }
  }

  static SignalHandlers kept() {
    try {
      return new SignalHandlers();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    former.forEach(
        (signal, handler) -> {
          try {
            handle.invoke(null, signal, handler);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
