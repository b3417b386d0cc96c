package dev.recorder.testing.servers;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Copies the data folder of a server. */
final class DataFolders {
  /** What belongs to the running process, or to its own clients. */
  private static final Set<String> NOT_COPIED =
      Set.of("postmaster.pid", "postmaster.opts", "backup_label");

  private DataFolders() {}

  /** Files of a running server come and go meanwhile. */
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectory(
                to.resolve(from.relativize(folder)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!NOT_COPIED.contains(file.getFileName().toString())) {
              try {
                Files.copy(file, to.resolve(from.relativize(file)));
              } catch (NoSuchFileException gone) {
                // As recovery will find.
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
