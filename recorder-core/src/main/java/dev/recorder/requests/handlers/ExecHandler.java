package dev.recorder.requests.handlers;

import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.WorkUnit;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Runs a program for each unit of work, without a shell and without arguments.
 *
 * <p>The program gets the unit on its standard input, as one JSON object. Its exit code is the
 * outcome: 0 complete, 75 (EX_TEMPFAIL) try again, any other an error. A program that is killed by
 * a signal, exceeds the limit or cannot be started is tried again. The end of its standard error is
 * kept as the reason. Its environment is that of this process, with {@code RECORDER_NAME}, {@code
 * RECORDER_ENTITY}, {@code RECORDER_PROCESS_ID} and {@code RECORDER_FENCE}.
 *
 * <p>Thread-safe. A program, with all its children, runs only during {@link #handle}. On Linux with
 * util-linux, the program also dies if this process is killed, but the program's children do not.
 */
public final class ExecHandler implements RequestHandler {
  private static final int EX_TEMPFAIL = 75;
  private static final int MOST_CHARACTERS = 2_000;

  /** Java reports death by a signal as 128 and its number, at most 64, as a shell does. */
  private static final int SIGNALS = 128;

  private static final int LAST_SIGNAL = 64;

  /**
   * The longest value of a variable; Linux refuses to start a program with a variable of more than
   * 128 KiB.
   */
  private static final int LONGEST_VARIABLE = 32 * 1024;

  /** Time to kill the program and to read its last output. */
  private static final Duration MOST_TO_SPARE = Duration.ofMillis(500);

  private static final int PART_TO_SPARE = 10;

  private final Path program;
  private final Duration limit;
  private final ParentDeathSignal deathSignal;

  /**
   * Creates a handler that runs this program.
   *
   * @param program absolute path
   * @param limit for one unit; the program gets slightly less, so that its output is read before
   *     the time limit interrupts
   */
  public ExecHandler(Path program, Duration limit) {
    this(program, limit, ParentDeathSignal.ofThisHost());
  }

  ExecHandler(Path program, Duration limit, ParentDeathSignal deathSignal) {
    if (!program.isAbsolute()) {
      throw new IllegalArgumentException(program + " is not an absolute path");
    }
    this.program = program;
    this.limit = limit;
    this.deathSignal = deathSignal;
  }

  @Override
  public Outcome handle(WorkUnit unit) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (!Files.isRegularFile(program)) {
      return notStarted("there is no such file");
    }
    if (!Files.isExecutable(program)) {
      return notStarted("this user may not execute it");
    }
    // Started on this thread, which then waits, since the program dies with the thread that started
    // it.
    try (RunningProgram running = new RunningProgram(start(unit), Ticker.system())) {
      running.feed(unit);
      return running.await(patience()) ? ended(running) : overdue(running);
    } catch (IOException refused) {
      return notStarted(String.valueOf(refused.getMessage()));
    }
  }

  private Duration patience() {
    Duration part = limit.dividedBy(PART_TO_SPARE);
    return limit.minus(part.compareTo(MOST_TO_SPARE) < 0 ? part : MOST_TO_SPARE);
  }

  private Process start(WorkUnit unit) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(deathSignal.command(program)).redirectOutput(Redirect.DISCARD);
    Map<String, String> environment = builder.environment();
    environment.put("RECORDER_NAME", unit.recorder().value());
    environment.put("RECORDER_PROCESS_ID", unit.process().toString());
    environment.put("RECORDER_FENCE", Long.toUnsignedString(unit.fence()));
    environment.remove("RECORDER_ENTITY");
    if (canBeVariable(unit.entity())) {
      environment.put("RECORDER_ENTITY", unit.entity());
    }
    return builder.start();
  }

  /**
   * Whether the locale can represent the text. Otherwise the variable is left out, since the JDK
   * would write question marks, and so name another entity.
   */
  private static boolean canBeVariable(String text) {
    Charset locale = Charset.forName(System.getProperty("sun.jnu.encoding", "US-ASCII"));
    return text.length() <= LONGEST_VARIABLE
        && text.indexOf('\0') < 0
        && locale.newEncoder().canEncode(text)
        && Charset.defaultCharset().newEncoder().canEncode(text);
  }

  private Outcome ended(RunningProgram running) {
    int code = running.exitCode();
    String said = running.said();
    if (code == 0) {
      return new Outcome.Complete();
    }
    if (deathSignal.neverStarted(code, said)) {
      return notStarted(PlainText.tail(said, MOST_CHARACTERS));
    }
    if (code > SIGNALS && code <= SIGNALS + LAST_SIGNAL) {
      return new Outcome.Retry(
          message("exit code %d, as of death by signal %d".formatted(code, code - SIGNALS), said));
    }
    String why = message("exit code " + code, said);
    return code == EX_TEMPFAIL ? new Outcome.Retry(why) : new Outcome.Failed(why);
  }

  private Outcome overdue(RunningProgram running) {
    boolean gone = running.kill();
    return new Outcome.Retry(
        message(
            "no end within %d s, %s"
                .formatted(limit.toSeconds(), gone ? "killed" : "and it cannot be killed"),
            running.said()));
  }

  private Outcome notStarted(String why) {
    return new Outcome.Retry("program %s cannot be started: %s".formatted(program, why));
  }

  private String message(String what, String said) {
    String reason = PlainText.tail(said, MOST_CHARACTERS);
    return program.getFileName() + ": " + what + (reason.isEmpty() ? "" : ": " + reason);
  }
}
