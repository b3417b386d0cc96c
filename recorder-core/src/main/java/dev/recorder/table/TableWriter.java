package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes commits of one table, and its checkpoints. Remembers the table's state between calls, so
 * that a call needs few requests. Commits of other writers are found and applied. For one thread.
 */
final class TableWriter {
  static final int CHECKPOINT_EVERY = 100;

  /** For how long checkpoints list files that were merged into others. */
  private static final Duration TOMBSTONES = Duration.ofDays(7);

  private final ObjectStore bucket;
  private final TableLayout layout;
  private final FileFormat format;
  private final TableReading reading;
  private final CommitInfo info;
  private @Nullable DeltaState state;
  private long checkpoint = -1;

  /** Creates a writer that knows nothing of the table yet. Sends no request. */
  TableWriter(TablePlace place, FileFormat format, CommitInfo info) {
    this.bucket = place.bucket();
    this.layout = place.layout();
    this.format = format;
    this.reading = new TableReading(place, format);
    this.info = info;
  }

  /** Makes commits. */
  @FunctionalInterface
  interface Proposals {
    /**
     * Returns the commit that follows a state; empty if there is nothing to commit.
     *
     * @throws IllegalArgumentException if the table must not be written to
     */
    Optional<Proposal> next(DeltaState state) throws TableException;
  }

  /** Returns the last known state, which may not be the latest. */
  DeltaState state() throws TableException {
    DeltaState known = state;
    if (known == null) {
      known = reading.last();
      checkpoint = known.version();
      state = known;
    }
    return known;
  }

  /** Returns the state after the last commit. */
  DeltaState latest() throws TableException {
    commit(none -> Optional.empty());
    return state();
  }

  /**
   * Makes one commit. Returns whether there was something to commit.
   *
   * @throws TableException if the commit could not be made, or may or may not have been made
   */
  boolean commit(Proposals proposals) throws TableException {
    DeltaState table = state();
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
        return isCommitted(ended.outcome(), table);
      }
    }
  }

  private Optional<Proposal> proposed(DeltaState table, Proposals proposals) throws TableException {
    try {
      return proposals.next(table);
    } catch (IllegalArgumentException unlike) {
      throw reading.refused(String.valueOf(unlike.getMessage()));
    }
  }

  private boolean isCommitted(CommitRun.RunOutcome outcome, DeltaState table)
      throws TableException {
    if (outcome instanceof CommitRun.Unanswered unknown) {
      throw new TableException(unknown.why().reason());
    } else if (outcome instanceof CommitRun.NotWritable refused) {
      throw reading.refused(refused.why());
    }
    boolean committed = outcome instanceof CommitRun.Committed;
    if (committed) {
      mayCheckpoint(table);
    }
    return committed;
  }

  /** Returns the bytes of a file; null if it cannot be read now. */
  byte @Nullable [] bytes(String key) {
    return bucket.get(key) instanceof ObjectStore.Body body ? body.bytes() : null;
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
