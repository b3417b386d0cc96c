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
 * <p>The unit is on the program's standard input, as one JSON object; its exit code is the outcome:
 * 0 complete, 75 (EX_TEMPFAIL) try again, any other an error. A program that a signal ends, that
 * takes longer than the limit or that cannot be started is tried again. What it writes to standard
 * error last is kept as the reason. Environment: the process's own, and {@code RECORDER_NAME},
 * {@code RECORDER_ENTITY}, {@code RECORDER_PROCESS_ID}, {@code RECORDER_FENCE}.
 *
 * <p>Thread-safe; a program runs only while {@link #handle} does, with all the children it has. On
 * Linux with util-linux it also dies with this process if that is killed; its children do not.
 */
public final class ExecHandler implements RequestHandler {
  private static final int EX_TEMPFAIL = 75;
  private static final int MOST_CHARACTERS = 2_000;

  /** What Java, as a shell does, makes of death by a signal: 128 and its number, at most 64. */
  private static final int SIGNALS = 128;

  private static final int LAST_SIGNAL = 64;

  /** Linux refuses to start a program with a variable of more than 128 KiB. */
  private static final int LONGEST_VARIABLE = 32 * 1024;

  /** For the kill and for what the program said. */
  private static final Duration MOST_TO_SPARE = Duration.ofMillis(500);

  private static final int PART_TO_SPARE = 10;

  private final Path program;
  private final Duration limit;
  private final ParentDeathSignal deathSignal;

  /**
   * @param program absolute
   * @param limit for one unit; kept with a little to spare, so that what the program said is not
   *     lost to an interrupt that comes when the limit is over
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
    // On this thread, which then waits: the program dies with the thread that starts it.
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
   * Rather none than another entity: where the locale has no such character, the JDK writes a
   * question mark instead.
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
