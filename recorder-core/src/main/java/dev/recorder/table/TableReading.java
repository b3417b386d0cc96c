package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.store.ObjectStore;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table's state from its checkpoint and commits. Writes nothing. As thread-safe as the
 * bucket.
 */
final class TableReading {
  private final TablePlace place;
  private final TableLayout layout;
  private final FileFormat format;

  TableReading(TablePlace place, FileFormat format) {
    this.place = place;
    this.layout = place.layout();
    this.format = format;
  }

  /**
   * Returns the state of the last checkpoint or, without a checkpoint, before the first commit.
   * Later commits may exist.
   */
  DeltaState last() throws TableException {
    byte[] hint = get(layout.lastCheckpointKey());
    if (hint == null) {
      return new DeltaState(place.id());
    }
    DeltaState read = checkpointed(hint);
    if (read != null) {
      return read;
    } else if (get(layout.commitKey(0)) == null) {
      throw refused("its last checkpoint is missing, or in a form that recorders do not read");
    }
    return new DeltaState(place.id()); // Another program's checkpoint: read the commits instead.
  }

  private @Nullable DeltaState checkpointed(byte[] hint) throws TableException {
    try {
      long version = DeltaJson.parse(new String(hint, UTF_8)).path("version").asLong(-1);
      byte[] actions = get(layout.checkpointKey(version));
      if (actions == null) {
        return null;
      }
      return DeltaState.of(place.id(), version, format.readCheckpoint(actions));
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }

  /**
   * Returns the state after the last commit.
   *
   * @throws TableException if the table cannot be read
   */
  DeltaState latest() throws TableException {
    DeltaState state = last();
    byte[] commit = get(layout.commitKey(state.version() + 1));
    while (commit != null) {
      try {
        state.apply(commit);
      } catch (IllegalArgumentException e) {
        throw refused("its commit %d cannot be read".formatted(state.version() + 1));
      }
      commit = get(layout.commitKey(state.version() + 1));
    }
    return state;
  }

  /** Returns the bytes of an object; null if there is no such object. */
  byte @Nullable [] get(String key) throws TableException {
    ObjectStore.GetAnswer answer = place.bucket().get(key);
    if (answer instanceof ObjectStore.Unclear unclear) {
      throw new TableException(unclear.reason());
    }
    return answer instanceof ObjectStore.Body body ? body.bytes() : null;
  }

  TableException refused(String why) {
    return new TableException("table %s: %s".formatted(layout.root(), why));
  }
}
