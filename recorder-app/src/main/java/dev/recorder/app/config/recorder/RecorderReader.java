package dev.recorder.app.config.recorder;

import static dev.recorder.app.config.recorder.RecorderSectionKeys.CAPTURE;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.COMPRESSION;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.ELECTION;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.FAILBACK;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.HANDLER;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.HISTORY;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.HISTORY_BLOCK;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.INTERVAL;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.KIND;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.MAX_PAYLOAD;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.PRIMARY;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.QUERY;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.SOURCE;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.TABLE_BYTES;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.TABLE_COLUMNS;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.TABLE_FORM;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.TABLE_INTERVAL;
import static dev.recorder.app.config.recorder.RecorderSectionKeys.TABLE_PARTITION;

import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.value.ByteSize;
import dev.recorder.app.config.value.CaptureTables;
import dev.recorder.app.config.value.History;
import dev.recorder.app.config.value.RowSource;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.schema.HandoffTable;
import dev.recorder.slotlog.Compression;
import java.nio.file.Path;
import java.util.List;

/** Reads a section {@code [recorder:NAME]}. */
public final class RecorderReader {
  private final Path file;
  private final String name;
  private final SectionReader reader;
  private final CaptureSections captures;

  /**
   * Creates a reader for the section of one recorder.
   *
   * @param file the configuration file, to check who may write it
   */
  public RecorderReader(Path file, String name, SectionReader reader, CaptureSections captures) {
    this.file = file;
    this.name = name;
    this.reader = reader;
    this.captures = captures;
  }

  /**
   * Reads the section.
   *
   * @param shared the section {@code [s3]}; empty if the file has none
   * @param hasShared whether the file has a section {@code [s3]}
   */
  public Deferred<RecorderSection> read(SectionReader shared, boolean hasShared) {
    S3Config.read(reader, shared, hasShared);
    checkName();
    reader.read(RecorderSectionKeys.TABLE);
    RecorderKind kind = reader.value(KIND);
    boolean log = kind == RecorderKind.LOG;
    checkLeading(log);
    checkSource(log);
    List<Deferred<CaptureSection>> captured = captured(kind);
    warnOfSmallHeap(reader.value(MAX_PAYLOAD));
    if (log) {
      warnOfObstacle(reader.value(COMPRESSION));
    } else {
      checkHandler();
    }
    checkHistory(log);
    checkTable(log);
    leaveOutKeysOfTheOther(kind);
    return () ->
        new RecorderSection(
            name, reader.inEffect(), captured.stream().map(Deferred::build).toList());
  }

  private void checkHistory(boolean log) {
    History history = reader.optional(HISTORY);
    if (history == null) {
      history = log ? History.OF_LOGS : History.FOREVER;
      reader.set(HISTORY, history);
    }
    if (log && !history.isBySize()) {
      if (!reader.refused(HISTORY)) {
        unused(HISTORY_BLOCK, "with history = " + history);
      }
      reader.set(HISTORY_BLOCK, null);
    }
    if (!log && history.isNone()) {
      reader.error(
          HISTORY,
          "history = 0 is not for kind = requests, whose callers look at what became of them",
          "write history = 1m or longer");
    }
  }

  private void checkTable(boolean log) {
    if (!log || reader.optional(TABLE_FORM) != null) {
      return;
    }
    for (Setting<?> setting :
        List.of(TABLE_INTERVAL, TABLE_BYTES, TABLE_COLUMNS, TABLE_PARTITION)) {
      if (!reader.refused(TABLE_FORM)) {
        unused(setting, "without table = delta");
      }
      reader.set(setting, null);
    }
  }

  private void checkName() {
    if (!RecorderSection.NAME.matcher(name).matches()) {
      reader.error(
          "'%s' is not a recorder name".formatted(name),
          "write [recorder:NAME] with at most 40 of a-z, 0-9 and _, a letter first");
    }
  }

  /**
   * Returns the names of the other relations that the recorder's hand-off table brings into the
   * schema.
   */
  public List<String> otherNames() {
    if (!RecorderSection.NAME.matcher(name).matches() || reader.refused(KIND)) {
      return List.of();
    }
    return HandoffTable.namesThatComeWith(new RecorderName(name), reader.value(KIND));
  }

  /**
   * Reports that the hand-off table of {@code other} brings a relation with this recorder's name.
   */
  public void clashesWith(RecorderReader other) {
    reader.error(
        "recorder %s has the name of an index or a sequence of recorder %s, of line %d"
            .formatted(name, other.name, other.reader.line()),
        "give one of them another name");
  }

  /**
   * Whether a key in Redis elects the active host, so that the file needs a section {@code
   * [redis]}.
   */
  public boolean needsRedis() {
    return reader.optional(ELECTION) == ElectionKind.REDIS
        && reader.value(KIND) == RecorderKind.LOG;
  }

  private void checkLeading(boolean log) {
    boolean byKey = reader.value(ELECTION) == ElectionKind.REDIS;
    if (log && !byKey) {
      if (!reader.refused(KIND) && !reader.refused(ELECTION)) {
        reader.required(PRIMARY);
      }
      return;
    }
    if (reader.has(PRIMARY)) {
      String where =
          log
              ? "election = redis, where the host that has the key is active"
              : "kind = requests, which every host works on";
      reader.error(PRIMARY, "primary means nothing with " + where, "leave the key out");
    }
    if (log) {
      unused(FAILBACK, "with election = redis");
    }
    reader.set(PRIMARY, null);
    reader.set(FAILBACK, null);
  }

  private void checkSource(boolean log) {
    boolean timer = log && reader.value(SOURCE) == RowSource.TIMER;
    if (timer) {
      reader.required(INTERVAL);
    } else {
      if (log) {
        unused(INTERVAL, "without source = timer");
      }
      reader.set(INTERVAL, null);
    }
  }

  private List<Deferred<CaptureSection>> captured(RecorderKind kind) {
    CaptureTables tables = reader.optional(CAPTURE);
    if (tables == null) {
      if (reader.has(CAPTURE)) {
        captures.leaveOut(name);
      }
      return List.of();
    }
    if (kind == RecorderKind.REQUESTS && !reader.has(QUERY) && !reader.has(HANDLER)) {
      reader.error(
          CAPTURE,
          "capture, and payloads are merged, of which captured changes have none",
          "give it query = SELECT ..., which builds a document, or a handler of its own");
    }
    return captures.of(name, kind, tables, reader);
  }

  /**
   * Warns, and does not refuse: only the daemon's heap matters, and the daemon refuses a recorder
   * that does not fit.
   */
  private void warnOfSmallHeap(ByteSize maxPayload) {
    MemoryBudget budget = MemoryBudget.ofHeap();
    if (!budget.fits(maxPayload.bytes())) {
      reader.warning(
          MAX_PAYLOAD,
          "max_payload = %s: %s".formatted(maxPayload, budget.misfit(maxPayload.bytes())),
          "start with a larger heap, or lower max_payload on all hosts");
    }
  }

  /**
   * Warns, and does not refuse: only the daemon needs the compression, and stands by until it has
   * it.
   */
  private void warnOfObstacle(Compression compression) {
    String obstacle = compression.obstacle();
    if (!obstacle.isEmpty()) {
      reader.warning(COMPRESSION, obstacle, "leave the key out of a log that has no objects yet");
    }
  }

  private void checkHandler() {
    String handler = reader.optional(HANDLER);
    if (handler == null) {
      return;
    }
    if (reader.optional(QUERY) != null) {
      reader.error(
          QUERY,
          "query, and handler = " + handler + ": only the built-in handler runs a query",
          "leave one of the two out");
    }
    Path program = RecorderSectionKeys.program(handler);
    if (program != null) {
      new HandlerProgram(file, program).check(reader);
    }
  }

  /**
   * Leaves out the keys of the other kind, with a warning for each. There are no warnings if {@code
   * kind} itself is wrong, since the keys of the other kind are unknown then.
   */
  private void leaveOutKeysOfTheOther(RecorderKind kind) {
    String where = kind == RecorderKind.LOG ? "without kind = requests" : "with kind = requests";
    for (Setting<?> setting : RecorderSectionKeys.TABLE.own()) {
      if (setting.scope().only() != null && setting.scope().only() != kind) {
        if (!reader.refused(KIND)) {
          unused(setting, where);
        }
        reader.set(setting, null);
      }
    }
  }

  private void unused(Setting<?> setting, String where) {
    if (reader.has(setting)) {
      reader.warning(setting, setting.key() + " has no effect " + where, "leave the key out");
    }
  }
}
