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

/** The database and the buckets of a configuration, opened for a command that reads. */
public final class CommandResources implements AutoCloseable {
  /** A machine has our tables for milliseconds; a stranger may have one forever. */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(5);

  private static final Duration PATIENT_LOCK_WAIT = Duration.ofMinutes(1);

  /** Longest wait for one answer, as where the network loses what the server says. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

  /** The least that leaves time for {@link #LOCK_WAIT}; monitors give up after ten seconds. */
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
   * Connects with the database.
   *
   * @throws CommandFailure if no recorder ever ran there
   */
  public static CommandResources open(RecorderConfig config) throws CommandFailure {
    return open(config, connect(config));
  }

  /**
   * The same for who has only so much patience.
   *
   * @param patience no answer is waited for longer, if this is {@link #SHORTEST_ANSWER} or more
   */
  public static CommandResources open(RecorderConfig config, Duration patience)
      throws CommandFailure {
    return open(config, Inspection.open(sessions(config), LOCK_WAIT, answerWithin(patience)));
  }

  /** The same for what is asked so much at a time that the answer may take minutes. */
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

  /** What a command needs of what it has opened. */
  @FunctionalInterface
  public interface Requirement {
    void check(CommandResources site) throws CommandFailure;
  }

  /** This, if it is as it must be; else it is closed. */
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
   * A session with the configured database, as it is. Of a table that somebody has locked it says
   * who that is, instead of keeping its user waiting.
   */
  public static Inspection connect(RecorderConfig config) {
    return Inspection.open(sessions(config), LOCK_WAIT, LONGEST_ANSWER);
  }

  /** The same for what may take hours, and should not come to nothing because of a short lock. */
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

  /** A configured recorder, which must be there. */
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

  /** The log of a configured recorder, which must be one of a log. */
  public Log log(RecorderSection section) throws CommandFailure {
    RecorderName name = new RecorderName(section.name());
    if (ConfiguredMachine.kind(section) != RecorderKind.LOG) {
      throw CommandFailure.usage(
          "recorder '" + name + "' has kind = requests: it keeps documents, and no log");
    }
    RecorderRow row = row(name, section);
    String obstacle = row.layout().of(name).compression().obstacle();
    if (!obstacle.isEmpty()) {
      throw new CommandFailure(ExitCode.CONFIGURATION, obstacle);
    }
    return new Log(name, row, row.layout().of(name), stores.of(section));
  }

  /**
   * The documents of a configured recorder, which must be one of requests with the built-in
   * handler.
   */
  public Documents documents(RecorderSection section) throws CommandFailure {
    RecorderName name = new RecorderName(section.name());
    if (section.orNull(RecorderSectionKeys.HANDLER) != null) {
      throw CommandFailure.usage(
          "recorder '" + name + "' has a handler of its own, whose effects only it can check");
    }
    row(name, section);
    return new Documents(name, ConfiguredMachine.documents(section));
  }

  /** The recorder's row, which must be there and have its objects where this file has them. */
  private RecorderRow row(RecorderName name, RecorderSection section) throws CommandFailure {
    String missing =
        "no machine has run recorder '%s' yet with %s"
            .formatted(name, ConfiguredMachine.database(config));
    RecorderRow row = database.recorder(name).orElseThrow(() -> CommandFailure.tryLater(missing));
    PinnedLayout configured = ConfiguredMachine.pinned(section);
    if (!configured.equals(row.layout())) {
      throw new CommandFailure(ExitCode.CONFIGURATION, movedLog(name, row.layout(), configured));
    }
    return row;
  }

  public static String movedLog(RecorderName name, PinnedLayout pinned, PinnedLayout configured) {
    return "the log of recorder %s was created as %s, this file says %s; correct the file"
        .formatted(name, pinned, configured);
  }

  /** What lets the log of a configured recorder go on in a restored database. */
  public Rebase rebase(RecorderSection section) throws CommandFailure {
    Log log = log(section);
    return Rebase.open(sessions(config), log.row(), log.layout(), log.bucket());
  }

  /** Ends the session with the database; buckets stay open. */
  public void disconnect() {
    database.close();
  }

  /** What the database knows of a log's ends, on a session of its own for each look. */
  public LogBounds bounds(RecorderName name) {
    return () -> {
      try (Inspection look = connect(config)) {
        return look.recorder(name)
            .map(row -> new Bounds(row.head().firstSlot(), row.head().lastSlot()));
      } catch (DatabaseException unreachable) {
        return Optional.empty(); // The bucket is read on; its slots do not need the database.
      }
    };
  }

  /** Opens sessions with the configured database. */
  public Sessions sessions() {
    return sessions(config);
  }

  private static Sessions sessions(RecorderConfig config) {
    return new Sessions(ConfiguredMachine.database(config), config.machine().name());
  }

  /** A log and where it lies. */
  public record Log(RecorderName name, RecorderRow row, LogLayout layout, ObjectStore bucket) {}

  /** Documents and where they lie. */
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
