package dev.recorder.app.daemon;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.Semaphore;

/**
 * Treats SIGHUP as a request to reload the configuration. Without a handler SIGHUP ends the
 * process, so the handler is registered before anything else. Requests before the first {@link
 * #await()} are kept.
 *
 * <p>The JDK's only interface for signals is {@code sun.misc.Signal} in module jdk.unsupported. The
 * compiler always warns of this class, so it is called by reflection.
 */
public final class SighupRequests {
  private static final Semaphore REQUESTS = new Semaphore(0);
  private static volatile boolean ignored;

  private SighupRequests() {}

  /** Registers the handler. Does nothing on a platform without SIGHUP. */
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
      // If SIGHUP was ignored at the start, as with nohup, the JVM ignores it despite the handler.
      ignored = before == handlerClass.getField("SIG_IGN").get(null);
    } catch (ReflectiveOperationException | IllegalArgumentException notHere) {
      // Without SIGHUP only an order or a restart changes the configuration.
      REQUESTS.drainPermits();
    }
  }

  /** Whether this process started with SIGHUP ignored, so that no request arrives. */
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

  /** Waits for the next request. Several pending requests count as one. */
  static void await() throws InterruptedException {
    REQUESTS.acquire();
    REQUESTS.drainPermits();
  }
}
