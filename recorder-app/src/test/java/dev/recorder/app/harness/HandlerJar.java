package dev.recorder.app.harness;

import dev.recorder.requests.RequestHandlerProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** A jar with handlers, as an operator puts it on {@code RECORDER_CLASSPATH}. */
public final class HandlerJar {
  private HandlerJar() {}

  /** Writes {@code file}: a provider and the other classes of its package. */
  public static Path write(Path file, Class<? extends RequestHandlerProvider> provider) {
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + RequestHandlerProvider.class.getName()));
      jar.write(provider.getName().getBytes(StandardCharsets.UTF_8));
      String folder = provider.getPackageName().replace('.', '/');
      for (Path each : classes(provider, folder)) {
        jar.putNextEntry(new JarEntry(folder + "/" + each.getFileName()));
        Files.copy(each, jar);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> classes(Class<?> provider, String folder) throws IOException {
    try (Stream<Path> files =
        Files.list(
            Path.of(provider.getProtectionDomain().getCodeSource().getLocation().toURI())
                .resolve(folder))) {
      return files.filter(each -> each.toString().endsWith(".class")).toList();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
