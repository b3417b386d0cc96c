package dev.recorder.app.guard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The signals that would end this process, kept for whoever asks; a thread that waits for something
 * can be interrupted by them. What the process was started to ignore stays ignored.
 *
 * <p>As with SIGHUP for the daemon, the JDK's only interface is {@code sun.misc.Signal}: hence the
 * reflection. Where there is none the process ends as usual, and its command with it. Thread-safe.
 */
public final class Signals {
  @GuardedBy("this")
  private final Queue<UnixSignal> received = new ArrayDeque<>();

  @GuardedBy("this")
  private @Nullable Thread interruptible;

  private Signals() {}

  /** Registers for all of {@link UnixSignal}, for the rest of the process's life. */
  public static Signals register() {
    Signals signals = new Signals();
    Arrays.stream(UnixSignal.values()).forEach(signals::register);
    // The command is not in the terminal's group, and would run on while its lock runs out.
    signals.register("TSTP", null);
    return signals;
  }

  /** Takes the next one that has come, if one has. */
  public synchronized Optional<UnixSignal> poll() {
    return Optional.ofNullable(received.poll());
  }

  /** From now on a signal interrupts the calling thread; at once if one has come already. */
  public synchronized void interruptMe() {
    interruptible = Thread.currentThread();
    if (!received.isEmpty()) {
      interruptible.interrupt();
    }
  }

  /** From now on none does; one that did is over. */
  @SuppressWarnings("ResultOfMethodCallIgnored")
  public synchronized void interruptNobody() {
    interruptible = null;
    Thread.interrupted();
  }

  private synchronized void receive(UnixSignal signal) {
    received.add(signal);
    if (interruptible != null) {
      interruptible.interrupt();
    }
  }

  private void register(UnixSignal signal) {
    register(signal.name(), signal);
  }

  private void register(String name, @Nullable UnixSignal signal) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object handler =
          signal == null
              ? handlerClass.getField("SIG_IGN").get(null)
              : Proxy.newProxyInstance(
                  Signals.class.getClassLoader(),
                  new Class<?>[] {handlerClass},
                  (proxy, method, arguments) -> invoke(signal, proxy, method, arguments));
      Object subject = signalClass.getConstructor(String.class).newInstance(name);
      signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, subject, handler);
    } catch (ReflectiveOperationException | IllegalArgumentException notHere) {
      // Then it does what it does to any process.
      synchronized (this) {
        received.clear();
      }
    }
  }

  private Object invoke(UnixSignal signal, Object proxy, Method method, Object[] arguments)
      throws InvocationTargetException {
    switch (method.getName()) {
      case "handle" -> {
        receive(signal);
        return "";
      }
      case "hashCode" -> {
        return System.identityHashCode(proxy);
      }
      case "equals" -> {
        return proxy == arguments[0];
      }
      default -> {
        return "handler of SIG" + signal;
      }
    }
  }
}
