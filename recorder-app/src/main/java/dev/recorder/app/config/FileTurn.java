package dev.recorder.app.config;

import dev.recorder.app.config.FileEditException.FileEditErrorKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The turn of one of several programs of ours that change a file, by a lock on the file itself: it
 * goes with the process that has it. Whoever replaced the file has replaced the lock with it, so a
 * turn counts only while the file is the one that was locked.
 *
 * <p>Such a lock of POSIX also goes when its process closes the file by whatever other name it has
 * opened it. So the holder of the turn reads the file through it, and nowhere else.
 */
final class FileTurn implements AutoCloseable {
  private final Path file;
  private final Object identity;
  private final FileChannel locked;

  private FileTurn(Path file, Object identity, FileChannel locked) {
    this.file = file;
    this.identity = identity;
    this.locked = locked;
  }

  /**
   * Takes the turn, or gives null if somebody else has it.
   *
   * @param file its own path, without links
   */
  static @Nullable FileTurn tryTake(Path file) throws FileEditException {
    FileChannel channel = null;
    boolean taken = false;
    try {
      Object before = identity(file);
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      taken = isLocked(channel) && identity(file).equals(before);
      return taken ? new FileTurn(file, before, channel) : null;
    } catch (IOException refused) {
      throw new FileEditException(
          FileEditErrorKind.RIGHTS,
          "%s is not changed: it cannot be opened for writing (%s); run this as a user who may write it"
              .formatted(file, refused.getClass().getSimpleName()));
    } finally {
      if (!taken) {
        close(channel);
      }
    }
  }

  /** What the file says. */
  byte[] bytes() throws FileEditException {
    try {
      if (locked.size() > ConfigFile.MAX_BYTES) {
        throw new FileEditException(
            FileEditErrorKind.BUSY, file + " grew while it was to be changed");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) locked.size());
      int read = 0;
      while (read >= 0 && bytes.hasRemaining()) {
        read = locked.read(bytes, bytes.position());
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    } catch (IOException gone) {
      throw new FileEditException(
          FileEditErrorKind.BUSY, file + " went away while it was to be changed");
    }
  }

  /** Whether it is the same file with the same content, whatever editors did meanwhile. */
  boolean stillSays(byte[] before) throws IOException, FileEditException {
    return identity(file).equals(identity) && Arrays.equals(bytes(), before);
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException inThisProcess) {
      return false;
    }
  }

  private static Object identity(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return key == null ? file : key;
  }

  @Override
  public void close() {
    close(locked);
  }

  private static void close(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException gone) {
      // The lock goes with the process at the latest.
    }
  }
}
