package dev.recorder.requests.handlers;

import dev.recorder.requests.RequestHandlerProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Handlers of the tests' own, named in a file of services, as in a jar that an operator adds. */
public final class NamedHandlers {
  private NamedHandlers() {}

  /** What is done while they are there. */
  @FunctionalInterface
  public interface Deed {
    void carryOut() throws Exception;
  }

  /** Finds these providers by the file, which it writes below {@code folder}. */
  public static URLClassLoader in(Path folder, String... providers) throws IOException {
    Path file =
        Files.createDirectories(folder.resolve("META-INF/services"))
            .resolve(RequestHandlerProvider.class.getName());
    Files.writeString(file, String.join("\n", providers));
    return new URLClassLoader(
        new URL[] {folder.toUri().toURL()}, NamedHandlers.class.getClassLoader());
  }

  /** Does something on this thread while its context has the provider. */
  public static void inContext(Path folder, String provider, Deed deed) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = in(folder, provider)) {
      thread.setContextClassLoader(loader);
      deed.carryOut();
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
