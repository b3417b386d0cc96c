package dev.recorder.testing;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * Servers from Maven's artefacts, each an archive in a jar.
 *
 * <p>That of 15 is on the class path. Those of other versions have the same name in their jars, and
 * so lie in a folder of the build.
 */
final class EmbeddedServer {
  /** Of the build: {@code target/postgres} of the module that this class belongs to. */
  static final Path FOLDER = besideClasses().resolve("postgres");

  private static final String ON_CLASS_PATH = "15";
  private static final int ANY_EXECUTE = 0111;

  private EmbeddedServer() {}

  static boolean isThere(String version) {
    return version.equals(ON_CLASS_PATH) || jar(version).isPresent();
  }

  /** Unpacks it into a folder that goes with this JVM, and returns where the programs are. */
  static Path unpack(String version) {
    Path target = TestFolder.create("postgres-programs").path();
    try {
      if (version.equals(ON_CLASS_PATH)) {
        try (InputStream archive = onClassPath()) {
          unpack(archive, target);
        }
      } else {
        unpackJar(jar(version).orElseThrow(), target);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return target.resolve("bin");
  }

  private static InputStream onClassPath() throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    InputStream archive =
        DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, System.getProperty("os.arch"));
    if (archive == null) {
      throw new FileNotFoundException("no PostgreSQL for this machine is on the class path");
    }
    return archive;
  }

  private static Optional<Path> jar(String version) {
    if (!Files.isDirectory(FOLDER)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.getFileName().toString().matches(version + "\\..*jar"))
          .findFirst();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void unpackJar(Path jar, Path target) throws IOException {
    try (FileSystem content = FileSystems.newFileSystem(jar);
        Stream<Path> files = Files.list(content.getPath("/"))) {
      Path archive =
          files.filter(file -> file.toString().endsWith(".txz")).findFirst().orElseThrow();
      try (InputStream in = Files.newInputStream(archive)) {
        unpack(in, target);
      }
    }
  }

  private static void unpack(InputStream archive, Path target) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZCompressorInputStream(archive))) {
      TarArchiveEntry entry;
      while ((entry = tar.getNextEntry()) != null) {
        Path file = target.resolve(entry.getName());
        Files.createDirectories(entry.isDirectory() ? file : file.getParent());
        if (entry.isSymbolicLink()) {
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else if (entry.isFile()) {
          Files.copy(tar, file);
          if ((entry.getMode() & ANY_EXECUTE) != 0) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
          }
        }
      }
    }
  }

  private static Path besideClasses() {
    try {
      URI classes =
          EmbeddedServer.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(classes).toAbsolutePath().getParent();
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
