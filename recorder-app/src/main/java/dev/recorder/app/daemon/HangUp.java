package dev.recorder.app.daemon;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Semaphore;

/**
 * SIGHUP as a request to read the configuration again. Without a handler the signal ends the
 * process, so it is registered before anything else; what comes early is kept.
 *
 * <p>The JDK has no public interface for signals but {@code sun.misc.Signal}, of module
 * jdk.unsupported, which the compiler always warns of: hence the reflection.
 */
public final class HangUp {
  private static final Semaphore REQUESTS = new Semaphore(0);
  private static volatile boolean ignored;

  private HangUp() {}

  /** Registers the handler. On a platform without SIGHUP nothing happens. */
  public static void register() {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              HangUp.class.getClassLoader(), new Class<?>[] {handlerClass}, HangUp::invoke);
      Object hangUp = signalClass.getConstructor(String.class).newInstance("HUP");
      Object before =
          signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, hangUp, handler);
      // Ignored from the start, as under nohup: the JVM keeps to that, handler or not.
      ignored = before == handlerClass.getField("SIG_IGN").get(null);
    } catch (ReflectiveOperationException | IllegalArgumentException notHere) {
      // Then a configuration is changed by a restart.
      REQUESTS.drainPermits();
    }
  }

  /** Whether this process was started with SIGHUP ignored, so that no request can come. */
  static boolean isIgnored() {
    return ignored;
  }

  private static Object invoke(Object proxy, Method method, Object[] arguments)
      throws InvocationTargetException {
    switch (method.getName()) {
      case "handle" -> {
        REQUESTS.release();
        return "";
      }
      case "hashCode" -> {
        return System.identityHashCode(proxy);
      }
      case "equals" -> {
        return proxy == arguments[0];
      }
      default -> {
        return "SIGHUP handler";
      }
    }
  }

  /** Waits for the next request; several that came meanwhile are one. */
  static void await() throws InterruptedException {
    REQUESTS.acquire();
    REQUESTS.drainPermits();
  }
}
