package dev.recorder.testing.servers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The data folder of a new server. {@code initdb} takes ten times as long as to copy what it has
 * made, and so runs once for a build, beside the programs if they are the build's own.
 */
final class NewData {
  private NewData() {}

  /** Makes {@code data}, which must not be there. */
  static void make(ServerPrograms programs, Path data, Path log) throws IOException {
    if (!programs.areOfTheBuild()) {
      initialize(programs, data, log);
      return;
    }
    DataFolders.copy(pattern(programs, log), data);
  }

  /** By one thread of one process at a time. */
  private static synchronized Path pattern(ServerPrograms programs, Path log) throws IOException {
    Path pattern = programs.folder().resolveSibling("data");
    try (FileChannel file =
            FileChannel.open(
                pattern.resolveSibling("data.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock alone = file.lock()) {
      if (!Files.exists(pattern)) {
        Path unfinished = Files.createTempDirectory(pattern.getParent(), "unfinished-");
        initialize(programs, unfinished.resolve("data"), log);
        Files.move(unfinished.resolve("data"), pattern, StandardCopyOption.ATOMIC_MOVE);
        Files.delete(unfinished);
      }
      return pattern;
    }
  }

  private static void initialize(ServerPrograms programs, Path data, Path log) throws IOException {
    programs.run(
        log,
        "initdb",
        "--pgdata=" + data,
        "--username=" + PostgresServer.SUPERUSER,
        "--auth=trust",
        "--encoding=UTF8",
        "--lc-messages=C",
        "--no-sync");
  }
}
