package dev.recorder.app.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes of a session, by {@code /proc}; none where there is no such thing.
 *
 * @param leader the session's number
 * @param watch a word on the command line of the processes that watch it, which do not count, nor
 *     what they start
 */
record SessionOf(long leader, String watch) {
  private static final Path PROCESSES = Path.of("/proc");

  /** In a process's {@code stat}, behind its name. */
  private static final int STATE = 0;

  private static final int PARENT = 1;
  private static final int SESSION = 3;

  /** Those that run. */
  List<Long> members() {
    try (Stream<Path> processes = Files.list(PROCESSES)) {
      return processes
          .map(path -> path.getFileName().toString())
          .filter(name -> Character.isDigit(name.charAt(0)))
          .filter(this::isMember)
          .map(Long::valueOf)
          .toList();
    } catch (IOException elsewhere) {
      return List.of();
    }
  }

  private boolean isMember(String pid) {
    try {
      String stat = read(pid, "stat");
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
      // An ended process is listed until somebody asks for its status.
      return fields.length > SESSION
          && !"ZX".contains(fields[STATE])
          && fields[SESSION].equals(Long.toString(leader))
          && !watches(pid)
          && !watches(fields[PARENT]);
    } catch (IOException gone) {
      return false;
    }
  }

  private boolean watches(String pid) {
    try {
      return read(pid, "cmdline").contains(watch);
    } catch (IOException gone) {
      return false;
    }
  }

  private static String read(String pid, String file) throws IOException {
    return Files.readString(PROCESSES.resolve(pid).resolve(file), StandardCharsets.ISO_8859_1);
  }
}
