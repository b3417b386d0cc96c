package dev.recorder.app.harness;

import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * The product's classes as a JVM maps them into memory (application class-data sharing), for the
 * many hosts that tests start: to read and verify them anew is a third of the work of each start.
 * Made by a host that records, once for a build, beside the product; ignored by a JVM that does not
 * find it to match.
 */
final class ClassArchive {
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private static final String WRITES = "-XX:ArchiveClassesAtExit=";

  private ClassArchive() {}

  private static final class Made {
    static final Path ARCHIVE = make();
  }

  /** Options of a JVM that is to use it, and has these others. */
  static List<String> options(List<String> others) {
    if (others.stream().anyMatch(option -> option.startsWith(WRITES))) {
      return List.of();
    }
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
    } catch (SQLException | IOException e) {
      throw new IllegalStateException("no archive of classes", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void record(Path archive) throws SQLException, IOException, InterruptedException {
    try (S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(PostgresServer.shared(), s3, Wiring.DIRECT, "100ms")) {
      Particulars writing = Particulars.NONE.withJvm(WRITES + archive, "-Xlog:disable");
      Host host = cluster.host("archivist", true, writing).start();
      Observer observer = Observer.ofStory(cluster.database());
      observer.await("active", DEADLINE, state -> host.name().equals(state.holder()));
      cluster.database().execute("INSERT INTO handoff.orders (key, payload) VALUES ('k', '{}')");
      observer.awaitWorking(host, DEADLINE);
      host.terminate();
      host.awaitExit(DEADLINE);
      if (!Files.exists(archive)) {
        throw new IllegalStateException("no archive of classes: " + host.log());
      }
    }
  }
}
