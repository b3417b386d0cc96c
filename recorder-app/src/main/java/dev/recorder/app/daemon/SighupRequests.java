package dev.recorder.app.daemon;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Semaphore;

/**
 * SIGHUP as a request to reload the configuration. Without a handler the signal ends the process,
 * so it is registered before anything else. Early requests are kept.
 *
 * <p>The JDK's only interface for signals is {@code sun.misc.Signal}, of module jdk.unsupported.
 * The compiler always warns of it, hence the reflection.
 */
public final class SighupRequests {
  private static final Semaphore REQUESTS = new Semaphore(0);
  private static volatile boolean ignored;

  private SighupRequests() {}

  /** Registers the handler. On a platform without SIGHUP this does nothing. */
  public static void register() {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              SighupRequests.class.getClassLoader(),
              new Class<?>[] {handlerClass},
              SighupRequests::invoke);
      Object hangUp = signalClass.getConstructor(String.class).newInstance("HUP");
      Object before =
          signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, hangUp, handler);
      // If ignored from the start, as with nohup, the JVM keeps ignoring it, whatever the handler.
      ignored = before == handlerClass.getField("SIG_IGN").get(null);
    } catch (ReflectiveOperationException | IllegalArgumentException notHere) {
      // Then only a restart changes the configuration.
      REQUESTS.drainPermits();
    }
  }

  /** Whether this process was started with SIGHUP ignored, and so gets no request. */
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

  /** Waits for the next request; several pending ones count as one. */
  static void await() throws InterruptedException {
    REQUESTS.acquire();
    REQUESTS.drainPermits();
  }
}
