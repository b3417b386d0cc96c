package dev.recorder.app.harness;

import dev.recorder.testing.AtExit;
import dev.recorder.testing.TestFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A file system of its own, so small that it can be filled. Needs the right to mount. */
public final class FullDisk implements AutoCloseable {
  private final TestFolder folder;
  private final Path mounted;

  private FullDisk(TestFolder folder, Path mounted) {
    this.folder = folder;
    this.mounted = mounted;
  }

  /** An empty disk; nothing if this process may not mount one. */
  public static Optional<FullDisk> mount() throws IOException {
    TestFolder folder = TestFolder.create("disk");
    Path mounted = Files.createDirectory(folder.path().resolve("mounted"));
    if (!succeeds(List.of("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mounted.toString()))) {
      folder.close();
      return Optional.empty();
    }
    FullDisk disk = new FullDisk(folder, mounted);
    AtExit.register(disk);
    return Optional.of(disk);
  }

  public Path path() {
    return mounted;
  }

  /** Leaves room for no further byte. */
  public void fill() {
    try (OutputStream file = Files.newOutputStream(mounted.resolve("filling"))) {
      byte[] page = new byte[4_096];
      while (true) {
        file.write(page);
      }
    } catch (IOException full) {
      if (hasRoom()) {
        throw new UncheckedIOException(full);
      }
    }
  }

  /** Whether a byte can still be written. */
  public boolean hasRoom() {
    Path probe = mounted.resolve("probe");
    try {
      Files.write(probe, new byte[] {1});
      Files.delete(probe);
      return true;
    } catch (IOException full) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    AtExit.forget(this);
    succeeds(List.of("umount", "--lazy", mounted.toString()));
    folder.close();
  }

  @Override
  public String toString() {
    return "the disk at " + mounted;
  }

  private static boolean succeeds(List<String> command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchProgram) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
