package dev.recorder.app.bench;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import dev.recorder.testing.TestFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Handler {@code noop}: what is left of a unit's time is the queue's. */
public final class NoopHandlerProvider implements RequestHandlerProvider {

  @Override
  public String name() {
    return "noop";
  }

  @Override
  public RequestHandler create(RecorderName recorder) {
    return unit -> new Outcome.Complete();
  }

  /** Makes {@code folder} a class path that has this handler and nothing else of the tests. */
  static void installInto(TestFolder folder) throws IOException {
    String name = NoopHandlerProvider.class.getName();
    Path code = folder.path().resolve(name.replace('.', '/') + ".class");
    Files.createDirectories(code.getParent());
    try (InputStream compiled =
        NoopHandlerProvider.class.getResourceAsStream("/" + folder.path().relativize(code))) {
      Files.write(code, compiled.readAllBytes());
    }
    Path services = Files.createDirectories(folder.path().resolve("META-INF/services"));
    Files.writeString(services.resolve(RequestHandlerProvider.class.getName()), name);
  }
}
