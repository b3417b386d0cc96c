package dev.recorder.app.harness;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The product's classes as a JVM maps them into memory (application class-data sharing), for the
 * many hosts that tests start: to read and verify them anew is a third of the work of each start.
 * Made as {@code scripts/recorder} makes it, once for a build, beside the product; ignored by a JVM
 * that does not find it to match.
 */
final class ClassArchive {
  private static final Duration DEADLINE = Duration.ofMinutes(3);

  private ClassArchive() {}

  private static final class Made {
    static final Path ARCHIVE = make();
  }

  /** Options of a JVM that is to use it. */
  static List<String> options() {
    return List.of("-XX:SharedArchiveFile=" + Made.ARCHIVE, "-Xshare:auto", "-Xlog:disable");
  }

  private static Path make() {
    Path folder = Product.lib().getParent();
    try (FileChannel lock =
            FileChannel.open(
                folder.resolve("product.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock alone = lock.lock()) {
      Path archive = folder.resolve("product-" + Product.stamp() + ".jsa");
      if (!Files.exists(archive)) {
        Path unfinished = folder.resolve("product.jsa");
        record(unfinished);
        Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
      }
      return archive;
    } catch (IOException e) {
      throw new IllegalStateException("no archive of classes", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void record(Path archive) throws IOException, InterruptedException {
    List<String> line =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:ArchiveClassesAtExit=" + archive,
            "-Xlog:disable",
            "-cp",
            Product.lib() + "/*",
            "dev.recorder.app.cli.TrainingRun");
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(DEADLINE.toMinutes(), TimeUnit.MINUTES) || !Files.exists(archive)) {
      process.destroyForcibly();
      throw new IllegalStateException("no archive of classes");
    }
  }
}
