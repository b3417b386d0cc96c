package dev.recorder.app.guard;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A command under way, with all that it has started and that has not left its session. For the
 * thread that started it.
 */
public final class GuardedCommand {
  private final Process process;
  private final Path watch;
  private final RandomAccessFile orders;
  private final DeadMansSwitch deadMan;
  private final SessionOf session;

  GuardedCommand(Process process, Path watch, RandomAccessFile orders, DeadMansSwitch deadMan) {
    this.process = process;
    this.watch = watch;
    this.orders = orders;
    this.deadMan = deadMan;
    this.session = new SessionOf(process.pid(), watch.toString());
  }

  /** Waits for the command's own end; whether it has come. */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  public boolean hasEnded() {
    return !process.isAlive();
  }

  /** Whether nothing of it runs any more, itself or what it has left behind. */
  public boolean isOver() {
    return hasEnded() && session.members().isEmpty();
  }

  /** Of a command that has ended. */
  public int exitCode() {
    return process.exitValue();
  }

  /**
   * Of one that has ended: makes sure that it was the command, and not only what was to guard it.
   *
   * @throws UnguardedException if the command was never started
   */
  public void requireBegun() throws UnguardedException {
    if (Files.exists(watch)) {
      throw new UnguardedException(
          "setsid, or the shell that guards the command, ended with exit code " + exitCode());
    }
  }

  /** Whether its guard killed it because this process had not vouched for it in time. */
  public boolean wasKilledByItsGuard() {
    return deadMan.hasActed();
  }

  /** Sends a signal to all that runs; what was stopped goes on, so that it can do as it is told. */
  public void signal(UnixSignal signal) {
    order(signal.name());
    order("CONT");
  }

  /** Kills all that runs. */
  public void kill() {
    order("KILL");
  }

  /** The same for whatever lives in spite of it, one by one: if somebody has ended the guard. */
  public void killOneByOne() {
    session.members().forEach(member -> member.process().destroyForcibly());
  }

  /**
   * What runs, in words: a number, a program and a user. Those of other users this process can see,
   * and not end.
   */
  public String left() {
    return session.members().stream().map(Object::toString).collect(Collectors.joining(" and "));
  }

  private void order(String signal) {
    try {
      orders.write((signal + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException impossible) {
      // This process is itself one that reads it.
      throw new IllegalStateException(impossible);
    }
  }
}
