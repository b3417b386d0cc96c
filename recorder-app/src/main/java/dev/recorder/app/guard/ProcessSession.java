package dev.recorder.app.guard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The processes of a session, from {@code /proc}. On a platform without {@code /proc} there are
 * none.
 *
 * @param leader the session's number
 * @param watch a word on the command lines of the guard's processes; these processes and their
 *     children do not count
 */
record ProcessSession(long leader, String watch) {
  private static final Path PROCESSES = Path.of("/proc");

  /** Indices of fields in a process's {@code stat}, after its name. */
  private static final int STATE = 0;

  private static final int PARENT = 1;
  private static final int SESSION = 3;

  /** A process of the session. */
  record Member(ProcessHandle process, String program) {
    /** Returns the process in words, for people who have to end it. */
    @Override
    public String toString() {
      return "process %d (%s) of user %s"
          .formatted(process.pid(), program, process.info().user().orElse("unknown"));
    }
  }

  /** Returns the running processes of the session. */
  List<Member> members() {
    try (Stream<Path> processes = Files.list(PROCESSES)) {
      return processes
          .map(path -> path.getFileName().toString())
          .filter(name -> Character.isDigit(name.charAt(0)))
          .flatMap(pid -> member(pid).stream())
          .toList();
    } catch (IOException elsewhere) {
      return List.of();
    }
  }

  private Optional<Member> member(String pid) {
    try {
      String stat = read(pid, "stat");
      int end = stat.lastIndexOf(')');
      String[] fields = stat.substring(end + 1).trim().split(" ");
      // A zombie is listed until its parent reads its status.
      boolean isMember =
          fields.length > SESSION
              && !"ZX".contains(fields[STATE])
              && fields[SESSION].equals(Long.toString(leader))
              && !watches(pid)
              && !watches(fields[PARENT]);
      return isMember
          ? ProcessHandle.of(Long.parseLong(pid))
              .map(process -> new Member(process, stat.substring(stat.indexOf('(') + 1, end)))
          : Optional.empty();
    } catch (IOException gone) {
      return Optional.empty();
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
