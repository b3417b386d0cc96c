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
 * A running command and all processes that it has started in its session. For the thread that
 * started it.
 */
public final class GuardedCommand {
  private final Process process;
  private final Path watch;
  private final RandomAccessFile orders;
  private final ProcessHeartbeatFile deadMan;
  private final ProcessSession session;

  GuardedCommand(
      Process process, Path watch, RandomAccessFile orders, ProcessHeartbeatFile deadMan) {
    this.process = process;
    this.watch = watch;
    this.orders = orders;
    this.deadMan = deadMan;
    this.session = new ProcessSession(process.pid(), watch.toString());
  }

  /** Waits for the end of the command itself. Returns whether it has ended. */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  public boolean hasEnded() {
    return !process.isAlive();
  }

  /** Whether the command and all its processes have ended. */
  public boolean isOver() {
    return hasEnded() && session.members().isEmpty();
  }

  /** Returns the exit code. The command must have ended. */
  public int exitCode() {
    return process.exitValue();
  }

  /**
   * Checks, after the end, that the command itself was started, and not only its guard.
   *
   * @throws GuardFailedException if it was not started
   */
  public void requireBegun() throws GuardFailedException {
    if (Files.exists(watch)) {
      throw new GuardFailedException(
          "setsid, or the shell that guards the command, ended with exit code " + exitCode());
    }
  }

  /** Whether the guard killed the command because this process did not vouch for it in time. */
  public boolean wasKilledByItsGuard() {
    return deadMan.hasActed();
  }

  /**
   * Sends a signal to all processes of the command. Continues stopped processes, so that they can
   * react.
   */
  public void signal(UnixSignal signal) {
    order(signal.name());
    order("CONT");
  }

  /** Kills all processes of the command. */
  public void kill() {
    order("KILL");
  }

  /** Kills the remaining processes one by one, in case the guard itself was killed. */
  public void killOneByOne() {
    session.members().forEach(member -> member.process().destroyForcibly());
  }

  /**
   * Returns the running processes in words: number, program and user. Includes processes of other
   * users, which this process cannot kill.
   */
  public String left() {
    return session.members().stream().map(Object::toString).collect(Collectors.joining(" and "));
  }

  private void order(String signal) {
    try {
      orders.write((signal + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException impossible) {
      // This process itself is a reader of the FIFO.
      throw new IllegalStateException(impossible);
    }
  }
}
