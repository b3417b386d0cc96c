package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.reader.LogReadException;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.time.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Brings a log's table up to date. Remembers the table's state between calls, so that a call needs
 * few requests. Commits of other writers are found and applied. For one thread.
 */
public final class LogTable {
  static final int CHECKPOINT_EVERY = 100;

  /** For how long checkpoints list files that were merged into others. */
  private static final Duration TOMBSTONES = Duration.ofDays(7);

  private final LogAddress log;
  private final ObjectStore bucket;
  private final TableLayout layout;
  private final FileFormat format;
  private final TableReading reading;
  private final CommitInfo info;
  private final TableSettings settings;
  private final Appending appending;
  private final Merging merging;
  private @Nullable DeltaState state;
  private long checkpoint = -1;

  /**
   * Creates a table whose state is not known yet. Sends no request.
   *
   * @param writer host and term, as information for people
   */
  public LogTable(LogAddress log, TableSettings settings, FileFormat format, String writer) {
    this.log = log;
    this.bucket = log.bucket();
    this.layout = TableLayout.of(log.layout());
    this.format = format;
    this.reading = new TableReading(log, format);
    this.info = new CommitInfo(writer, WallClock.system());
    this.settings = settings;
    this.merging = new Merging(layout, settings, format, info);
    this.appending = new Appending(layout, log.uuid(), settings, format, info);
  }

  /**
   * The progress of the table.
   *
   * @param version number of the last commit
   * @param covered the last slot that the table covers
   * @param misfits number of values that did not fit their columns, since this object was created
   * @param skipped number of slots that had expired before the table had them, since this object
   *     was created
   */
  public record TableProgress(long version, long covered, long misfits, long skipped) {}

  /**
   * Appends the slots that the table lacks, and merges small files of days that are over.
   *
   * @param first the first slot that the log still has
   * @param last the last settled slot
   * @param goesOn asked before each commit whether to continue
   * @param room tests whether this many bytes of the heap may be used in total
   * @throws TableException if the table cannot be brought up to date
   * @throws LogReadException if the log cannot be read
   */
  public TableProgress bringUpTo(long first, long last, BooleanSupplier goesOn, LongPredicate room)
      throws TableException {
    DeltaState table = loaded();
    try (LogFeed feed = new LogFeed(log, last)) {
      while (goesOn.getAsBoolean()
          && commit(table, current -> appending.next(current, first, feed, room))) {
        mayCheckpoint(table);
      }
    }
    while (goesOn.getAsBoolean()
        && room.test(settings.bytes() / 2)
        && commit(table, current -> merging.next(current, this::bytes))) {
      mayCheckpoint(table);
    }
    return new TableProgress(
        table.version(), table.covered(), appending.misfits(), appending.skipped());
  }

  private DeltaState loaded() throws TableException {
    DeltaState known = state;
    if (known == null) {
      known = reading.last();
      checkpoint = known.version();
      state = known;
    }
    return known;
  }

  /** Returns the bytes of an object; null if it cannot be read now. */
  private byte @Nullable [] bytes(String key) {
    return bucket.get(key) instanceof ObjectStore.Body body ? body.bytes() : null;
  }

  /** Makes one commit. Returns whether there was something to commit. */
  private boolean commit(DeltaState table, Function<DeltaState, Optional<Proposal>> proposals)
      throws TableException {
    CommitRun run = new CommitRun(layout, table);
    while (true) {
      CommitRun.RunStep step = run.next();
      if (step instanceof CommitRun.ReadCommit look) {
        run.read(bucket.get(look.key()));
      } else if (step instanceof CommitRun.CheckFile check) {
        run.checked(bucket.head(check.key()));
      } else if (step instanceof CommitRun.PutObject put) {
        run.put(bucket.putIfAbsent(put.key(), put.body(), Map.of()));
      } else if (step instanceof CommitRun.Propose) {
        run.proposed(proposed(table, proposals));
      } else if (step instanceof CommitRun.Ended ended) {
        return isCommitted(ended.outcome());
      }
    }
  }

  private Optional<Proposal> proposed(
      DeltaState table, Function<DeltaState, Optional<Proposal>> proposals) throws TableException {
    try {
      return proposals.apply(table);
    } catch (IllegalArgumentException unlike) {
      throw reading.refused(String.valueOf(unlike.getMessage()));
    }
  }

  private boolean isCommitted(CommitRun.RunOutcome outcome) throws TableException {
    if (outcome instanceof CommitRun.Unanswered unknown) {
      throw new TableException(unknown.why().reason());
    } else if (outcome instanceof CommitRun.NotWritable refused) {
      throw reading.refused(refused.why());
    }
    return outcome instanceof CommitRun.Committed;
  }

  /**
   * Writes a checkpoint if it is time. Checkpoints only make readers faster: the table is correct
   * without them.
   */
  private void mayCheckpoint(DeltaState table) {
    long version = table.version();
    if (version - Math.max(checkpoint, 0) < CHECKPOINT_EVERY) {
      return;
    }
    List<ObjectNode> actions = table.actions(info.clock().millis() - TOMBSTONES.toMillis());
    byte[] file = format.checkpoint(actions);
    if (bucket.putIfAbsent(layout.checkpointKey(version), file, Map.of())
        instanceof ObjectStore.Unclear) {
      return; // The next commit tries again.
    }
    checkpoint = version;
    ObjectNode hint = DeltaJson.object();
    hint.put("version", version).put("size", actions.size());
    hint.put("sizeInBytes", file.length).put("numOfAddFiles", table.files().size());
    point(hint.toString().getBytes(UTF_8));
  }

  /**
   * Writes the hint that points readers to the last checkpoint. If the old hint cannot be replaced,
   * it stays, and readers find later commits by listing them.
   */
  private void point(byte[] hint) {
    String key = layout.lastCheckpointKey();
    if (bucket.putIfAbsent(key, hint, Map.of()) instanceof ObjectStore.AlreadyThere
        && bucket instanceof DocumentStore documents
        && documents.fetch(key) instanceof ObjectStore.Fetched before) {
      var unused = documents.putIfMatch(key, hint, Map.of(), before.etag());
    }
  }
}
