package dev.recorder.app.config;

import dev.recorder.app.config.FileEditException.FileEditErrorKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * Puts other content in the place of a file's: whoever reads it sees the old one or the new one,
 * whatever happens meanwhile. Mode, owner and group stay; a file that could not keep them is left
 * alone, as is one with several names, of which the others would keep the old content.
 */
final class FileReplacement {
  private final Path file;
  private final FileTurn turn;
  private final FolderSync sync;

  /** Makes the names in a folder durable. */
  @FunctionalInterface
  interface FolderSync {
    void force(Path folder) throws IOException;
  }

  /**
   * Of a file, by the holder of the turn.
   *
   * @param file its own path, without links
   */
  FileReplacement(Path file, FileTurn turn) {
    this(file, turn, FileReplacement::makeDurable);
  }

  FileReplacement(Path file, FileTurn turn, FolderSync sync) {
    this.file = file;
    this.turn = turn;
    this.sync = sync;
  }

  /**
   * Replaces the content.
   *
   * @param before what it is now; if it is not, nothing is changed
   * @return why it is not known to outlive a crash of the host; empty if it does
   * @throws FileEditException if nothing was changed
   */
  String replace(byte[] before, byte[] after) throws FileEditException {
    try {
      requireOneName();
      Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
      Path next =
          Files.createTempFile(
              folder,
              "." + file.getFileName() + ".",
              ".new",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        write(next, after);
        resemble(next);
        if (!turn.stillSays(before)) {
          throw new FileEditException(
              FileEditErrorKind.BUSY,
              file + " was changed by somebody else meanwhile, and is left as it is");
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(next);
      }
      return doubt(folder);
    } catch (FileSystemException refused) {
      throw new FileEditException(
          FileEditErrorKind.RIGHTS,
          "%s is not changed: %s: %s; run this as a user who may write the file and its folder"
              .formatted(file, refused.getFile(), why(refused)));
    } catch (IOException | UnsupportedOperationException broken) {
      throw new FileEditException(FileEditErrorKind.FORM, file + " is not changed: " + broken);
    }
  }

  private String doubt(Path folder) {
    try {
      sync.force(folder);
      return "";
    } catch (IOException unknown) {
      return "%s is changed, and may be as it was after a crash of this host: its folder cannot be synchronised: %s"
          .formatted(file, unknown);
    }
  }

  private static String why(FileSystemException refused) {
    String reason = refused.getReason();
    return reason == null ? refused.getClass().getSimpleName() : reason;
  }

  private void requireOneName() throws IOException, FileEditException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileEditException(
          FileEditErrorKind.FORM, file + " is not a regular file; edit it by hand");
    }
    if ((Integer) Files.getAttribute(file, "unix:nlink") > 1) {
      throw new FileEditException(
          FileEditErrorKind.FORM,
          file + " has several names (hard links), and would lose them; edit it by hand");
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Owner first: a change of it may take bits of the mode away. */
  private void resemble(Path next) throws IOException {
    PosixFileAttributes wanted = Files.readAttributes(file, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(next, PosixFileAttributeView.class);
    PosixFileAttributes own = view.readAttributes();
    if (!own.owner().equals(wanted.owner())) {
      view.setOwner(wanted.owner());
    }
    if (!own.group().equals(wanted.group())) {
      view.setGroup(wanted.group());
    }
    view.setPermissions(wanted.permissions());
  }

  /** A name is in its folder: without that a crash of the host brings the old one back. */
  private static void makeDurable(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
