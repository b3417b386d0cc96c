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
 * Brings a log's table up to date. Knows the table from one call to the next, so that a call needs
 * few requests; whatever else writes meanwhile, it finds out. For one thread.
 */
public final class LogTable {
  static final int CHECKPOINT_EVERY = 100;

  /** For how long checkpoints name files that were merged into others. */
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
   * A table of which nothing is known yet; asks nothing.
   *
   * @param writer who writes, for people
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
   * How far the table is.
   *
   * @param version its last commit
   * @param covered its last slot
   * @param misfits values that did not fit their columns since this was made
   * @param skipped slots that had expired before the table had them, since this was made
   */
  public record TableProgress(long version, long covered, long misfits, long skipped) {}

  /**
   * Puts slots into the table that it lacks, and merges small files of days that are over.
   *
   * @param first slot that the log still has
   * @param last settled slot
   * @param goesOn asked before each commit
   * @param room whether so many bytes may be taken of the heap, in all
   * @throws TableException if it cannot be brought up to date
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

  /** Null if they cannot be read now. */
  private byte @Nullable [] bytes(String key) {
    return bucket.get(key) instanceof ObjectStore.Body body ? body.bytes() : null;
  }

  /** Whether there was something to commit. */
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

  /** Readers need it to be quick; the table is right without. */
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
   * Points readers to the last checkpoint. Only a hint: where it cannot be replaced it stays, and
   * readers list what has come since.
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
