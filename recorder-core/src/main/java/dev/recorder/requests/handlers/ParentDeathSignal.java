package dev.recorder.requests.handlers;

import dev.recorder.logging.LogEvent;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ties a program to this process: if this process is killed, the kernel kills the program ({@code
 * PR_SET_PDEATHSIG}). Otherwise the program would continue while a peer repeats its unit. It uses
 * setpriv of util-linux, which then becomes the program.
 *
 * <p>The signal depends on the <em>thread</em> that started the program: the program dies when that
 * thread ends. So the thread that starts it must wait until the program ends. All of the JDK's ways
 * to start a process (posix_spawn through jspawnhelper, vfork, fork) do so on the calling thread,
 * as {@code ExecHandlerIT} verifies. The program's own children are not tied.
 */
final class ParentDeathSignal {
  private static final Logger log = LoggerFactory.getLogger(ParentDeathSignal.class);
  private static final List<Path> PLACES =
      List.of(Path.of("/usr/bin/setpriv"), Path.of("/bin/setpriv"));
  private static final long PATIENCE_SECONDS = 5;

  /** Exit codes of setpriv if it cannot become the program; they are those of a shell. */
  private static final List<Integer> NOT_STARTED = List.of(126, 127);

  private final @Nullable Path setpriv;

  private ParentDeathSignal(@Nullable Path setpriv) {
    this.setpriv = setpriv;
  }

  /** Returns this host's signal, which has no effect if the host has no suitable setpriv. */
  static ParentDeathSignal ofThisHost() {
    for (Path place : PLACES) {
      if (Files.isExecutable(place) && works(place)) {
        return new ParentDeathSignal(place);
      }
    }
    log.info(
        LogEvent.PROGRAMS_MAY_OUTLIVE,
        "no setpriv with --pdeathsig (util-linux) on this host: programs outlive a recorder that is"
            + " killed");
    return none();
  }

  static ParentDeathSignal none() {
    return new ParentDeathSignal(null);
  }

  boolean holds() {
    return setpriv != null;
  }

  List<String> command(Path program) {
    return setpriv == null ? List.of(program.toString()) : command(setpriv, program.toString());
  }

  /** Whether the program never started, because setpriv failed. */
  boolean neverStarted(int exitCode, String said) {
    return setpriv != null && NOT_STARTED.contains(exitCode) && said.startsWith("setpriv: ");
  }

  /** Whether this setpriv has the option, which busybox lacks. */
  private static boolean works(Path place) {
    try {
      Process process =
          new ProcessBuilder(command(place, place.toString(), "--version"))
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      return process.onExit().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join().exitValue() == 0;
    } catch (IOException | CompletionException unusable) {
      return false;
    }
  }

  private static List<String> command(Path setpriv, String... program) {
    List<String> command =
        new ArrayList<>(List.of(setpriv.toString(), "--pdeathsig", "KILL", "--"));
    command.addAll(List.of(program));
    return command;
  }
}
