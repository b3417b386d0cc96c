package dev.recorder.testing;

import dev.recorder.testing.servers.Postmaster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A temporary folder that does not outlive its JVM by much: closed at exit, and if the JVM was
 * killed, removed with the processes running in it by the next JVM that makes one.
 *
 * <p>A file lock tells whether the owner lives. Unlike a pid it cannot be mistaken, not even
 * between containers that share a temp folder.
 */
public final class TestFolder implements AutoCloseable {
  private static final String PREFIX = "recorder-test-";
  private static final String LOCK = "owner.lock";
  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

  private final Path path;
  private final FileChannel lock;

  private TestFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** A new folder, named after its {@code purpose}. */
  public static TestFolder create(String purpose) {
    return create(purpose, TEMPORARY);
  }

  /**
   * A new folder in memory, where the machine has plenty of it; else one like the others. For what
   * makes and removes many small files, which takes a disk's file system most of a processor.
   */
  public static TestFolder createInMemory(String purpose) {
    return create(purpose, Memory.FOLDER);
  }

  private static TestFolder create(String purpose, Path parent) {
    try {
      Sweep.ONCE.run();
      Path path = Files.createTempDirectory(parent, PREFIX + purpose + "-");
      // Renamed once it is locked: a sweeper never sees the file without its lock.
      Path unlocked = path.resolve("new.lock");
      FileChannel lock =
          FileChannel.open(unlocked, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock.lock();
      Files.move(unlocked, path.resolve(LOCK));
      TestFolder folder = new TestFolder(path, lock);
      folder.register();
      return folder;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void register() throws IOException {
    try {
      AtExit.register(this);
    } catch (IllegalStateException ending) {
      close();
      throw ending;
    }
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    delete(path);
    lock.close();
    AtExit.forget(this);
  }

  @Override
  public String toString() {
    return path.toString();
  }

  private static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(folder)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
    }
    for (Path each : deepestFirst) {
      Files.deleteIfExists(each);
    }
  }

  /** Whose arguments name a folder of a dead JVM was that JVM's. */
  private static void killWhatNames(Path folder) {
    ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(folder + "/"))
        .forEach(ProcessHandle::destroyForcibly);
  }

  /** Where folders are in memory. */
  private static final class Memory {
    static final Path FOLDER = isPlenty() ? Path.of("/dev/shm") : TEMPORARY;

    /** Servers of several JVMs at once, with their logs and what tests of large rows write. */
    private static final long PLENTY = 12L << 30;

    private static boolean isPlenty() {
      try {
        Path shm = Path.of("/dev/shm");
        return Files.isWritable(shm)
            && Files.getFileStore(shm).type().equals("tmpfs")
            && Files.getFileStore(shm).getUsableSpace() > PLENTY
            && available() > PLENTY;
      } catch (IOException notThere) {
        return false;
      }
    }

    private static long available() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith("MemAvailable:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
      }
      return 0;
    }
  }

  /** Removes what JVMs have left behind that were killed. */
  private static final class Sweep {
    static final Sweep ONCE = new Sweep();

    private boolean done;

    synchronized void run() throws IOException {
      if (done) {
        return;
      }
      done = true;
      for (Path parent : new HashSet<>(List.of(TEMPORARY, Memory.FOLDER))) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
          for (Path folder : folders) {
            removeIfAbandoned(folder);
          }
        }
      }
    }

    private static void removeIfAbandoned(Path folder) {
      try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
          FileLock lock = channel.tryLock()) {
        if (lock != null) {
          Optional<Postmaster> orphan = Postmaster.in(folder.resolve("data"));
          if (orphan.isPresent()) {
            orphan.get().kill();
          }
          killWhatNames(folder);
          delete(folder);
        }
      } catch (IOException | OverlappingFileLockException notOurs) {
        // In use, just going, or of another user: whoever owns it removes it.
      }
    }
  }
}
