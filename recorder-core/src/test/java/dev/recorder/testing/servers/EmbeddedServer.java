package dev.recorder.testing.servers;

import dev.recorder.testing.TestFolder;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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

  /**
   * Where the programs are. They are unpacked once for a build, which takes three seconds, and stay
   * beside its classes; outside of a build they go with this JVM.
   */
  static Path unpack(String version) {
    try {
      byte[] archive = archive(version);
      if (!Files.isDirectory(FOLDER.getParent().resolve("classes"))) {
        return unpack(archive, TestFolder.create("postgres-programs").path()).resolve("bin");
      }
      Files.createDirectories(FOLDER);
      Path programs = FOLDER.resolve(version + "-" + name(archive));
      try (FileChannel file =
              FileChannel.open(
                  FOLDER.resolve(version + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock alone = file.lock()) {
        if (!Files.exists(programs)) {
          Path unfinished = Files.createTempDirectory(FOLDER, "unfinished-");
          Files.move(unpack(archive, unfinished), programs, StandardCopyOption.ATOMIC_MOVE);
        }
      }
      return programs.resolve("bin");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Of the archive's content: another version of the artefact is another folder. */
  private static String name(byte[] archive) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(archive);
      return HexFormat.of().formatHex(digest, 0, 6);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static byte[] archive(String version) throws IOException {
    if (version.equals(ON_CLASS_PATH)) {
      try (InputStream archive = onClassPath()) {
        return archive.readAllBytes();
      }
    }
    try (FileSystem content = FileSystems.newFileSystem(jar(version).orElseThrow());
        Stream<Path> files = Files.list(content.getPath("/"))) {
      return Files.readAllBytes(
          files.filter(file -> file.toString().endsWith(".txz")).findFirst().orElseThrow());
    }
  }

  private static InputStream onClassPath() throws IOException {
    String system = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
    InputStream archive =
        DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, System.getProperty("os.arch"));
    if (archive == null) {
      throw new FileNotFoundException("no PostgreSQL for this host is on the class path");
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

  private static Path unpack(byte[] archive, Path target) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZCompressorInputStream(new ByteArrayInputStream(archive)))) {
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
    return target;
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
