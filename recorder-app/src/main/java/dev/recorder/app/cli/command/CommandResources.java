package dev.recorder.app.cli.command;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.ini.DidYouMean;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.app.daemon.Stores;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.rebase.Rebase;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.reader.LogBounds;
import dev.recorder.reader.LogBounds.Bounds;
import dev.recorder.reader.LogMoment;
import dev.recorder.reader.MomentSearch;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.schema.RecorderRow;
import dev.recorder.schema.Schema;
import dev.recorder.schema.Setup;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A command's connections: the database and the buckets of a configuration. */
public final class CommandResources implements AutoCloseable {
  /** Hosts lock these tables for milliseconds, but other sessions may hold a lock without limit. */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(5);

  private static final Duration PATIENT_LOCK_WAIT = Duration.ofMinutes(1);

  /** Longest wait for one answer, which may be lost in the network. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

  /** Leaves time for {@link #LOCK_WAIT}, and is below the usual limit of monitors, ten seconds. */
  public static final Duration SHORTEST_ANSWER = Duration.ofSeconds(8);

  private final RecorderConfig config;
  private final Inspection database;
  private final Stores stores;

  private CommandResources(RecorderConfig config, Inspection database) {
    this.config = config;
    this.database = database;
    this.stores = new Stores(config);
  }

  /**
   * Connects to the database.
   *
   * @throws CommandFailure if the database has no tables of a recorder, or tables of another
   *     version
   */
  public static CommandResources open(RecorderConfig config) throws CommandFailure {
    return open(config, connect(config));
  }

  /**
   * Connects to the database, with a limit for each answer.
   *
   * @param patience longest wait for an answer, raised to {@link #SHORTEST_ANSWER} if it is shorter
   * @throws CommandFailure if the database has no tables of a recorder, or tables of another
   *     version
   */
  public static CommandResources open(RecorderConfig config, Duration patience)
      throws CommandFailure {
    return open(config, Inspection.open(sessions(config), LOCK_WAIT, answerWithin(patience)));
  }

  /**
   * Connects to the database without a limit for answers, for statements on so many rows that they
   * may take minutes.
   */
  static CommandResources openForMuch(RecorderConfig config) throws CommandFailure {
    return open(config, Inspection.openHurried(sessions(config), LOCK_WAIT));
  }

  private static CommandResources open(RecorderConfig config, Inspection database)
      throws CommandFailure {
    return new CommandResources(config, database).checked(CommandResources::requireTables);
  }

  static Duration answerWithin(Duration patience) {
    if (patience.compareTo(SHORTEST_ANSWER) < 0) {
      return SHORTEST_ANSWER;
    }
    return patience.compareTo(LONGEST_ANSWER) > 0 ? LONGEST_ANSWER : patience;
  }

  private void requireTables() throws CommandFailure {
    Optional<Integer> version = database.schemaVersion();
    if (version.isEmpty()) {
      throw CommandFailure.tryLater(
          "no recorder has run yet with %s: schema %s has no tables; start one, or run the output of 'recorder schema'"
              .formatted(ConfiguredMachine.database(config), config.database().schema()));
    } else if (version.get() != Schema.VERSION) {
      throw new CommandFailure(
          ExitCode.CONFIGURATION, Setup.anotherVersion(config.database().schema(), version.get()));
    }
  }

  @FunctionalInterface
  public interface Requirement {
    void check(CommandResources site) throws CommandFailure;
  }

  /** Returns these resources if they meet the requirement; else closes them and throws. */
  public CommandResources checked(Requirement requirement) throws CommandFailure {
    try {
      requirement.check(this);
      return this;
    } catch (CommandFailure | RuntimeException unfit) {
      close();
      throw unfit;
    }
  }

  /**
   * Connects to the database without requiring tables. A statement that waits too long for a lock
   * fails with a message that names the lock's holder.
   */
  public static Inspection connect(RecorderConfig config) {
    return Inspection.open(sessions(config), LOCK_WAIT, LONGEST_ANSWER);
  }

  /**
   * Connects for work of hours, without a limit for answers and with a longer wait for locks, so
   * that a short lock does not end the work.
   */
  public static Inspection connectPatiently(RecorderConfig config) {
    return Inspection.openHurried(sessions(config), PATIENT_LOCK_WAIT);
  }

  public Inspection database() {
    return database;
  }

  /**
   * Returns the state of all hosts and recorders, with notes on problems.
   *
   * @param freshWithin the age up to which a host's heartbeat counts as alive
   * @param countUpTo the most waiting rows that are counted
   */
  public Diagnosis diagnosis(Duration freshWithin, int countUpTo) {
    return Diagnosis.of(database.facts(freshWithin, countUpTo), ConfiguredMachine.limits(config));
  }

  public RecorderConfig config() {
    return config;
  }

  public static RecorderSection section(RecorderConfig config, String name) throws CommandFailure {
    List<String> names = config.recorders().stream().map(RecorderSection::name).toList();
    return config.recorder(name).orElseThrow(() -> unknown(name, names));
  }

  public static CommandFailure unknown(String name, List<String> names) {
    String hint =
        DidYouMean.among(names, name)
            .map(near -> "did you mean '" + near + "'?")
            .orElse("there are: " + String.join(", ", names));
    return CommandFailure.usage("no recorder '" + name + "'; " + hint);
  }

  /** Returns the recorder's log. Fails if the recorder has none. */
  public Log log(RecorderSection section) throws CommandFailure {
    RecorderName name = new RecorderName(section.name());
    if (section.kind() != RecorderKind.LOG) {
      throw CommandFailure.usage(
          "recorder '" + name + "' has kind = requests: it keeps documents, and no log");
    }
    RecorderRow row = row(name, section);
    LogLayout layout = ConfiguredMachine.pinned(section).of(name);
    String obstacle = layout.compression().obstacle();
    if (!obstacle.isEmpty()) {
      throw new CommandFailure(ExitCode.CONFIGURATION, obstacle);
    }
    return new Log(name, row, layout, stores.of(section));
  }

  /** Returns the recorder's documents. Fails if the recorder has a handler of its own. */
  public Documents documents(RecorderSection section) throws CommandFailure {
    RecorderName name = new RecorderName(section.name());
    if (section.orNull(RecorderSectionKeys.HANDLER) != null) {
      throw CommandFailure.usage(
          "recorder '" + name + "' has a handler of its own, whose effects only it can check");
    }
    row(name, section);
    return new Documents(name, ConfiguredMachine.documents(section));
  }

  /**
   * Returns the recorder's row. Fails if there is none, or if it has another place in the bucket
   * than this file.
   */
  private RecorderRow row(RecorderName name, RecorderSection section) throws CommandFailure {
    String missing =
        "no host has run recorder '%s' yet with %s"
            .formatted(name, ConfiguredMachine.database(config));
    RecorderRow row = database.recorder(name).orElseThrow(() -> CommandFailure.tryLater(missing));
    PinnedLayout configured = ConfiguredMachine.pinned(section);
    if (row.isPlaced() && !configured.equals(row.layout())) {
      throw new CommandFailure(ExitCode.CONFIGURATION, movedLog(name, row.layout(), configured));
    }
    return row;
  }

  public static String movedLog(RecorderName name, PinnedLayout pinned, PinnedLayout configured) {
    return "the log of recorder %s was created as %s, this file says %s; correct the file"
        .formatted(name, pinned, configured);
  }

  public Rebase rebase(RecorderSection section) throws CommandFailure {
    Log log = log(section);
    return Rebase.open(sessions(config), log.row(), log.layout(), log.bucket());
  }

  /** Ends the session with the database. Buckets stay open. */
  public void disconnect() {
    database.close();
  }

  /** Returns the first and last slot from the database. Each look opens a session of its own. */
  public LogBounds bounds(RecorderName name) {
    return () -> {
      try (Inspection look = connect(config)) {
        return look.recorder(name)
            .map(row -> new Bounds(row.head().firstSlot(), row.head().lastSlot()));
      } catch (DatabaseException unreachable) {
        return Optional.empty(); // Reading the bucket continues without the database.
      }
    };
  }

  public Sessions sessions() {
    return sessions(config);
  }

  private static Sessions sessions(RecorderConfig config) {
    return new Sessions(ConfiguredMachine.database(config), config.machine().name());
  }

  /** A log: its row in the database, its layout and its bucket. */
  public record Log(RecorderName name, RecorderRow row, LogLayout layout, ObjectStore bucket) {
    /** Returns a search for moments in the settled slots of this log. */
    public MomentSearch moments() {
      return MomentSearch.upTo(row.head().lastSlot(), bucket, layout, row.log());
    }

    /** Returns the failure for a moment before the end of the log's first window. */
    public CommandFailure hasNothingBefore(LogMoment moment) {
      long first = row.head().firstSlot();
      return CommandFailure.usage(
          "no window of the log of %s%s had ended before %s"
              .formatted(
                  name, first > 1 ? ", which begins with slot " + first + " now," : "", moment));
    }
  }

  /** A recorder's documents and their place in the bucket. */
  public record Documents(RecorderName name, DocumentLayout layout) {}

  public ObjectStore bucket(RecorderSection section) {
    return stores.of(section);
  }

  @Override
  public void close() {
    stores.close();
    database.close();
  }
}
