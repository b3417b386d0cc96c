package dev.recorder.app.config;

import static dev.recorder.app.config.Leading.ELECTION;
import static dev.recorder.app.config.Leading.FAILBACK;
import static dev.recorder.app.config.Leading.PRIMARY;
import static dev.recorder.app.config.RecorderSection.HISTORY;
import static dev.recorder.app.config.RecorderSection.HISTORY_BLOCK;
import static dev.recorder.app.config.RecorderSection.KIND;
import static dev.recorder.app.config.RecorderSection.LOCKID;
import static dev.recorder.app.config.RecorderSection.VERIFY_EVERY;
import static java.util.Objects.requireNonNull;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.schema.HandoffTable;
import dev.recorder.slotlog.Compression;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One {@code [recorder:NAME]}. */
final class RecorderReader {
  private static final List<Setting<?>> OF_LOGS_ONLY =
      List.of(
          ELECTION,
          FAILBACK,
          Feed.SOURCE,
          Feed.INTERVAL,
          Batching.LINGER,
          Batching.ROTATE_ROWS,
          Batching.ROTATE_BYTES,
          Batching.COMPRESSION,
          HISTORY_BLOCK,
          VERIFY_EVERY);
  private static final List<Setting<?>> OF_REQUESTS_ONLY =
      List.of(
          RequestWork.WORKERS,
          RequestWork.HANDLER,
          RequestWork.HANDLER_TIMEOUT,
          RequestWork.MAX_ATTEMPTS,
          RequestWork.QUERY);

  private final Path file;
  private final String name;
  private final SectionReader reader;
  private final CaptureSections captures;

  /**
   * @param file what is read, to check who may write it
   */
  RecorderReader(Path file, String name, SectionReader reader, CaptureSections captures) {
    this.file = file;
    this.name = name;
    this.reader = reader;
    this.captures = captures;
  }

  /**
   * @param s3 read already, since it also gets the recorder's S3 keys
   */
  Buildable<RecorderSection> read(Buildable<S3Config> s3) {
    checkName();
    Integer lockId = reader.required(LOCKID);
    RecorderKindWord kind = reader.value(KIND);
    Buildable<Leading> leading = leading(kind);
    Buildable<Feed> feed = feed(kind);
    Buildable<Batching> batching = batching(kind);
    History history = history(kind);
    Duration verifyEvery = reader.optional(VERIFY_EVERY);
    Buildable<RequestWork> requests = requests(kind);
    LogLevelWord logLevel = reader.optional(RecorderSection.LOG_LEVEL);
    warnOfKeysOfTheOther(kind);
    reader.reportUnknownKeys();
    return () ->
        new RecorderSection(
            name,
            requireNonNull(lockId),
            kind,
            kind == RecorderKindWord.LOG ? leading.build() : Leading.NONE,
            feed.build(),
            batching.build(),
            history,
            kind == RecorderKindWord.LOG ? verifyEvery : null,
            requests.build(),
            s3.build(),
            logLevel);
  }

  private History history(RecorderKindWord kind) {
    History written = reader.optional(HISTORY);
    ByteSize block = reader.value(HISTORY_BLOCK);
    if (kind == RecorderKindWord.LOG) {
      History history = written == null ? RecorderSection.OF_LOGS : written;
      if (!history.isBySize() && !reader.refused(HISTORY)) {
        unused(HISTORY_BLOCK, "with history = " + history);
      }
      return history.inBlocksOf(block);
    }
    if (written != null && written.isNone()) {
      reader.error(
          HISTORY,
          "history = 0 is not for kind = requests, whose callers look at what became of them",
          "write history = 1m or longer");
    }
    return written == null ? History.FOREVER : written;
  }

  private void checkName() {
    if (!RecorderSection.NAME.matcher(name).matches()) {
      reader.error(
          "'%s' is not a recorder name".formatted(name),
          "write [recorder:NAME] with at most 40 of a-z, 0-9 and _, a letter first");
    }
  }

  /** Names that its hand-off table brings into the schema, its own not among them. */
  List<String> otherNames() {
    if (!RecorderSection.NAME.matcher(name).matches() || reader.refused(KIND)) {
      return List.of();
    }
    return HandoffTable.namesThatComeWith(
        new RecorderName(name), RecorderKind.valueOf(reader.value(KIND).name()));
  }

  /** Another recorder's table brings a relation of this one's name. */
  void clashesWith(RecorderReader other) {
    reader.error(
        "recorder %s has the name of an index or a sequence of recorder %s, of line %d"
            .formatted(name, other.name, other.reader.line()),
        "give one of them another name");
  }

  /** Whether the file asks for an election by a key of Redis. */
  boolean needsRedis() {
    return reader.optional(ELECTION) == ElectionWord.REDIS
        && reader.value(KIND) == RecorderKindWord.LOG;
  }

  private Buildable<Leading> leading(RecorderKindWord kind) {
    ElectionWord election = reader.value(ELECTION);
    Boolean primary = primary(kind, election);
    FailbackWord failback = reader.value(FAILBACK);
    boolean byKey = election == ElectionWord.REDIS;
    if (byKey && kind == RecorderKindWord.LOG) {
      unused(FAILBACK, "with election = redis");
    }
    return () -> new Leading(election, !byKey && requireNonNull(primary), failback);
  }

  private @Nullable Boolean primary(RecorderKindWord kind, ElectionWord election) {
    boolean byKey = election == ElectionWord.REDIS;
    if (kind == RecorderKindWord.LOG
        && !byKey
        && !reader.refused(KIND)
        && !reader.refused(ELECTION)) {
      return reader.required(PRIMARY);
    }
    boolean requests = kind == RecorderKindWord.REQUESTS;
    if (reader.has(PRIMARY) && (requests || byKey)) {
      String where =
          requests
              ? "kind = requests, which every machine works on"
              : "election = redis, where whoever has the key is active";
      reader.error(PRIMARY, "primary means nothing with " + where, "leave the key out");
    }
    return reader.optional(PRIMARY);
  }

  /** Requests always come from the table, whatever the source that has no effect there. */
  private Buildable<Feed> feed(RecorderKindWord kind) {
    boolean log = kind == RecorderKindWord.LOG;
    boolean timer = reader.value(Feed.SOURCE) == RowSource.TIMER && log;
    Duration interval = timer ? reader.required(Feed.INTERVAL) : reader.optional(Feed.INTERVAL);
    if (log && !timer) {
      unused(Feed.INTERVAL, "without source = timer");
    }
    List<Buildable<CaptureSection>> captured = captured(kind);
    return () ->
        new Feed(
            timer ? RowSource.TIMER : RowSource.HANDOFF,
            timer ? interval : null,
            captured.stream().map(Buildable::build).toList());
  }

  private List<Buildable<CaptureSection>> captured(RecorderKindWord kind) {
    CaptureTables tables = reader.optional(Feed.CAPTURE);
    if (tables == null) {
      if (reader.has(Feed.CAPTURE)) {
        captures.leaveOut(name);
      }
      return List.of();
    }
    if (kind == RecorderKindWord.REQUESTS
        && !reader.has(RequestWork.QUERY)
        && !reader.has(RequestWork.HANDLER)) {
      reader.error(
          Feed.CAPTURE,
          "capture, and payloads are merged, of which captured changes have none",
          "give it query = SELECT ..., which builds a document, or a handler of its own");
    }
    return captures.of(name, kind, tables, reader);
  }

  private Buildable<Batching> batching(RecorderKindWord kind) {
    LingerSetting linger = reader.value(Batching.LINGER);
    int rows = reader.value(Batching.ROTATE_ROWS);
    ByteSize bytes = reader.value(Batching.ROTATE_BYTES);
    ByteSize maxPayload = reader.value(Batching.MAX_PAYLOAD);
    CompressionWord compression = reader.value(Batching.COMPRESSION);
    warnOfSmallHeap(maxPayload);
    if (kind == RecorderKindWord.LOG) {
      warnOfObstacle(compression);
    }
    return () -> new Batching(linger, rows, bytes, maxPayload, compression);
  }

  /** No error here: it is the heap of the daemon that counts, which refuses the recorder. */
  private void warnOfSmallHeap(ByteSize maxPayload) {
    MemoryBudget budget = MemoryBudget.ofHeap();
    if (!budget.fits(maxPayload.bytes())) {
      reader.warning(
          Batching.MAX_PAYLOAD,
          "max_payload = %s: %s".formatted(maxPayload, budget.misfit(maxPayload.bytes())),
          "start with a larger heap, or lower max_payload on all hosts");
    }
  }

  /** No error here either: what the daemon can do counts, which stands by until it can. */
  private void warnOfObstacle(CompressionWord word) {
    String obstacle = Compression.named(word.word()).obstacle();
    if (!obstacle.isEmpty()) {
      reader.warning(
          Batching.COMPRESSION, obstacle, "leave the key out of a log that has no objects yet");
    }
  }

  private Buildable<RequestWork> requests(RecorderKindWord kind) {
    int workers = reader.value(RequestWork.WORKERS);
    String handler = reader.optional(RequestWork.HANDLER);
    Duration timeout = reader.value(RequestWork.HANDLER_TIMEOUT);
    int maxAttempts = reader.value(RequestWork.MAX_ATTEMPTS);
    String query = reader.optional(RequestWork.QUERY);
    if (kind == RecorderKindWord.REQUESTS && query != null && handler != null) {
      reader.error(
          RequestWork.QUERY,
          "query, and handler = " + handler + ": only the built-in handler runs a query",
          "leave one of the two out");
    }
    if (kind == RecorderKindWord.REQUESTS && handler != null) {
      Path program = RequestWork.program(handler);
      if (program != null) {
        new HandlerProgram(file, program).check(reader);
      }
    }
    return () -> new RequestWork(workers, handler, timeout, maxAttempts, query);
  }

  /** Not if the kind itself is wrong: then nobody knows which keys are the other kind's. */
  private void warnOfKeysOfTheOther(RecorderKindWord kind) {
    if (reader.refused(KIND)) {
      return;
    }
    switch (kind) {
      case LOG -> OF_REQUESTS_ONLY.forEach(setting -> unused(setting, "without kind = requests"));
      case REQUESTS -> OF_LOGS_ONLY.forEach(setting -> unused(setting, "with kind = requests"));
    }
  }

  private void unused(Setting<?> setting, String where) {
    if (reader.has(setting)) {
      reader.warning(setting, setting.key() + " has no effect " + where, "leave the key out");
    }
  }
}
