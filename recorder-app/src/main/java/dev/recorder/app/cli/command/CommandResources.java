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
  /** Hosts lock these tables for milliseconds; another session may lock them forever. */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(5);

  private static final Duration PATIENT_LOCK_WAIT = Duration.ofMinutes(1);

  /** Longest wait for one answer, which the network may have lost. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

  /** Leaves time for {@link #LOCK_WAIT}, and is less than the ten seconds of monitors. */
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
   * @throws CommandFailure if the database has no tables of a recorder
   */
  public static CommandResources open(RecorderConfig config) throws CommandFailure {
    return open(config, connect(config));
  }

  /**
   * The same, with a limit for each answer.
   *
   * @param patience longest wait for an answer, at least {@link #SHORTEST_ANSWER}
   */
  public static CommandResources open(RecorderConfig config, Duration patience)
      throws CommandFailure {
    return open(config, Inspection.open(sessions(config), LOCK_WAIT, answerWithin(patience)));
  }

  /** The same, for statements on so many rows that the answer may take minutes. */
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

  /** Returns this if it meets the requirement; else closes it. */
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
   * Connects to the database without any requirement. A statement that waits for a lock fails with
   * the name of its holder.
   */
  public static Inspection connect(RecorderConfig config) {
    return Inspection.open(sessions(config), LOCK_WAIT, LONGEST_ANSWER);
  }

  /** The same, for work of hours that a short lock must not end. */
  public static Inspection connectPatiently(RecorderConfig config) {
    return Inspection.openHurried(sessions(config), PATIENT_LOCK_WAIT);
  }

  public Inspection database() {
    return database;
  }

  /**
   * How things stand.
   *
   * @param freshWithin how old the heartbeat of a living machine may be
   * @param countUpTo where counting waiting rows stops
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

  /** Fails if the recorder has no log. */
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

  /** Fails if the recorder has no documents of the built-in handler. */
  public Documents documents(RecorderSection section) throws CommandFailure {
    RecorderName name = new RecorderName(section.name());
    if (section.orNull(RecorderSectionKeys.HANDLER) != null) {
      throw CommandFailure.usage(
          "recorder '" + name + "' has a handler of its own, whose effects only it can check");
    }
    row(name, section);
    return new Documents(name, ConfiguredMachine.documents(section));
  }

  /** Requires the recorder's row, and that it has no other place in the bucket than this file. */
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

  /** Ends the session with the database; buckets stay open. */
  public void disconnect() {
    database.close();
  }

  /** The first and last slot by the database; each look uses a session of its own. */
  public LogBounds bounds(RecorderName name) {
    return () -> {
      try (Inspection look = connect(config)) {
        return look.recorder(name)
            .map(row -> new Bounds(row.head().firstSlot(), row.head().lastSlot()));
      } catch (DatabaseException unreachable) {
        return Optional
            .empty(); // Reading the bucket continues; its slots do not need the database.
      }
    };
  }

  public Sessions sessions() {
    return sessions(config);
  }

  private static Sessions sessions(RecorderConfig config) {
    return new Sessions(ConfiguredMachine.database(config), config.machine().name());
  }

  /** A log and its place. */
  public record Log(RecorderName name, RecorderRow row, LogLayout layout, ObjectStore bucket) {
    /** Where moments are in its settled slots. */
    public MomentSearch moments() {
      return MomentSearch.upTo(row.head().lastSlot(), bucket, layout, row.log());
    }

    /** That nothing had happened yet at a moment, for people. */
    public CommandFailure hasNothingBefore(LogMoment moment) {
      long first = row.head().firstSlot();
      return CommandFailure.usage(
          "no window of the log of %s%s had ended before %s"
              .formatted(
                  name, first > 1 ? ", which begins with slot " + first + " now," : "", moment));
    }
  }

  /** Documents and their place. */
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
