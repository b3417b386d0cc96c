package dev.recorder.app.shop;

import dev.recorder.testing.servers.Installed;
import dev.recorder.testing.servers.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A client of the {@link Shop} at {@code psql}, as a person or a batch job would be: statements on
 * their own and in transactions, which go on after an error. It starts again where its server was
 * killed.
 */
final class ShopConsole implements Callable<Void> {
  private static final Pattern ERROR = Pattern.compile("ERROR: +(\\w{5})");

  /** It, or a savepoint that comes after the failure. */
  private static final Set<String> IN_FAILED_TRANSACTION = Set.of("25P02", "3B001");

  private static final String DONE = "transaction done";
  private static final int DOWN_MILLIS = 100;

  private final TestDatabase database;
  private final ShopChanges changes;
  private final Duration pause;
  private final BooleanSupplier stopping;

  ShopConsole(
      TestDatabase database, ShopChanges changes, Duration pause, BooleanSupplier stopping) {
    this.database = database;
    this.changes = changes;
    this.pause = pause;
    this.stopping = stopping;
  }

  /** Whether there is such a program here. */
  static boolean isInstalled() {
    return Installed.onPath("psql");
  }

  @Override
  public Void call() throws IOException, InterruptedException {
    while (!stopping.getAsBoolean()) {
      Process psql = start();
      try (Writer script = psql.outputWriter();
          BufferedReader said = psql.inputReader()) {
        boolean connected = true;
        while (connected && !stopping.getAsBoolean()) {
          connected = run(transaction(), script, said);
          Thread.sleep(pause.toMillis());
        }
      } catch (IOException ended) {
        // Its server was killed.
      } finally {
        psql.destroyForcibly().waitFor();
      }
      Thread.sleep(DOWN_MILLIS);
    }
    return null;
  }

  private Process start() throws IOException {
    List<String> command =
        List.of(
            "psql",
            "-X",
            "-q",
            "-v",
            "VERBOSITY=sqlstate",
            "-h",
            "127.0.0.1",
            "-p",
            Integer.toString(database.server().port()),
            "-U",
            TestDatabase.ROLE,
            "-d",
            database.name());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PGPASSWORD", TestDatabase.PASSWORD);
    builder.environment().put("PGCLIENTENCODING", "UTF8");
    builder
        .environment()
        .put(
            "PGOPTIONS",
            ShopChanges.LIMITS.stream().map("-c "::concat).collect(Collectors.joining(" ")));
    return builder.start();
  }

  /** False if it has ended. */
  private static boolean run(String transaction, Writer script, BufferedReader said)
      throws IOException {
    script.write(transaction);
    script.write("\\echo " + DONE + "\n");
    script.flush();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.equals(DONE)) {
        return true;
      }
      Matcher error = ERROR.matcher(line);
      if (error.find()
          && !ShopChanges.isExpected(error.group(1))
          && !IN_FAILED_TRANSACTION.contains(error.group(1))) {
        throw new AssertionError("psql: " + line + " in " + transaction);
      }
    }
    return false;
  }

  private String transaction() {
    if (changes.draw(3) == 0) {
      return changes.change() + ";\n";
    } else if (changes.draw(10) == 0) {
      return "COPY visit FROM STDIN;\n" + changes.copied() + "\\.\n";
    }
    StringBuilder script = new StringBuilder("BEGIN;\n");
    for (int left = 1 + changes.draw(4); left > 0; left--) {
      String change = changes.change() + ";\n";
      script.append(changes.draw(5) == 0 ? "SAVEPOINT s;\n" + change + "ROLLBACK TO s;\n" : change);
    }
    return script.append(changes.draw(6) == 0 ? "ROLLBACK;\n" : "COMMIT;\n").toString();
  }
}
