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
 * Collects signals that would otherwise end this process. They can interrupt a waiting thread.
 * Signals that were ignored when the process started stay ignored.
 *
 * <p>As for SIGHUP in the daemon, the JDK's only interface is {@code sun.misc.Signal}, so it is
 * called by reflection. On a platform without signals this process ends as usual, and its command
 * ends with it. Thread-safe.
 */
public final class Signals {
  @GuardedBy("this")
  private final Queue<UnixSignal> received = new ArrayDeque<>();

  @GuardedBy("this")
  private @Nullable Thread interruptible;

  private Signals() {}

  /** Registers for all signals in {@link UnixSignal}, for the rest of the process's life. */
  public static Signals register() {
    Signals signals = new Signals();
    Arrays.stream(UnixSignal.values()).forEach(signals::register);
    // Ignores SIGTSTP: the command is in another process group, and would continue while its lock
    // expires.
    signals.register("TSTP", null);
    return signals;
  }

  /** Returns the next signal and removes it; empty if there is none. */
  public synchronized Optional<UnixSignal> poll() {
    return Optional.ofNullable(received.poll());
  }

  /**
   * Lets each signal interrupt the calling thread. If one has arrived already, interrupts at once.
   */
  public synchronized void interruptMe() {
    interruptible = Thread.currentThread();
    if (!received.isEmpty()) {
      interruptible.interrupt();
    }
  }

  /** Ends interrupting, and clears an earlier interrupt. */
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
      // The signal keeps its default effect.
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
