package dev.recorder.table;

import dev.recorder.store.ObjectStore;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings about one commit step by step: returns the next request, and takes its answer. Pure; for
 * one thread.
 *
 * <p>A commit's number is the table's only lock. A host sends commit n+1 only after it has read all
 * commits up to n and found none after it. The bucket accepts only the first object with this
 * number. So commit n+1, once it exists, always follows the state from which it was made, whichever
 * other host writes, and however late.
 *
 * <p>While it is unknown whether a commit exists, only the same bytes are sent for it again.
 */
final class CommitRun {
  /** Most attempts to send the same bytes. */
  private static final int MOST_ATTEMPTS = 3;

  private final TableLayout layout;
  private final DeltaState state;
  private RunPhase phase = RunPhase.LOOK;
  private @Nullable Proposal proposal;
  private byte @Nullable [] sent;
  private Iterator<Map.Entry<String, byte[]>> files =
      Map.<String, byte[]>of().entrySet().iterator();
  private Map.@Nullable Entry<String, byte[]> file;
  private int attempts;
  private @Nullable RunOutcome outcome;

  private enum RunPhase {
    LOOK,
    PROPOSE,
    PUT_FILE,
    CHECK_FILE,
    PUT_COMMIT,
    ENDED
  }

  /** The next request, or the next decision of the caller. */
  sealed interface RunStep {}

  /** A GET, answered to {@link #read}. */
  record ReadCommit(String key) implements RunStep {}

  /** A HEAD, answered to {@link #checked}. */
  record CheckFile(String key) implements RunStep {}

  /** A PUT if nothing is there, answered to {@link #put}. */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of bytes, never compared
  record PutObject(String key, byte[] body) implements RunStep {}

  /**
   * The caller is to make a commit that follows the present state, answered to {@link #proposed}.
   */
  record Propose() implements RunStep {}

  /** The run is over. */
  record Ended(RunOutcome outcome) implements RunStep {}

  /** How the run ended. */
  sealed interface RunOutcome {}

  /** The commit exists. */
  record Committed() implements RunOutcome {}

  /** There was nothing to commit. */
  record UpToDate() implements RunOutcome {}

  /**
   * The bucket gave no clear answer. The sent object may exist, or may still come into existence. A
   * new run finds out.
   */
  record Unanswered(ObjectStore.Unclear why) implements RunOutcome {}

  /** The table must not be written to. */
  record NotWritable(String why) implements RunOutcome {}

  /**
   * Creates a run.
   *
   * @param state the table's state up to any commit; the run brings it up to date
   */
  CommitRun(TableLayout layout, DeltaState state) {
    this.layout = layout;
    this.state = state;
  }

  RunStep next() {
    return switch (phase) {
      case LOOK -> new ReadCommit(layout.commitKey(state.version() + 1));
      case PROPOSE -> new Propose();
      case PUT_FILE -> new PutObject(current().getKey(), current().getValue());
      case CHECK_FILE -> new CheckFile(current().getKey());
      case PUT_COMMIT -> new PutObject(layout.commitKey(state.version() + 1), bytes());
      case ENDED -> new Ended(ended());
    };
  }

  void read(ObjectStore.GetAnswer answer) {
    if (answer instanceof ObjectStore.Body body) {
      take(body.bytes());
    } else if (answer instanceof ObjectStore.Unclear unclear) {
      end(new Unanswered(unclear));
    } else if (sent == null) {
      String obstacle = state.obstacle();
      if (obstacle.isEmpty()) {
        phase = RunPhase.PROPOSE;
      } else {
        end(new NotWritable(obstacle));
      }
    } else if (attempts < MOST_ATTEMPTS) {
      phase = RunPhase.PUT_COMMIT;
    } else {
      end(new Unanswered(new ObjectStore.Unclear("the commit could not be written", true)));
    }
  }

  private void take(byte[] commit) {
    boolean mine = sent != null && Arrays.equals(sent, commit);
    sent = null;
    try {
      state.apply(commit);
    } catch (IllegalArgumentException e) {
      end(new NotWritable("its commit %d cannot be read: %s".formatted(state.version() + 1, e)));
      return;
    }
    if (mine) {
      end(new Committed());
    } else {
      phase = RunPhase.LOOK; // Another commit took the number: propose again.
    }
  }

  void proposed(Optional<Proposal> next) {
    if (next.isEmpty()) {
      end(new UpToDate());
      return;
    }
    proposal = next.get();
    attempts = 0;
    files = proposal.files().entrySet().iterator();
    nextFile();
  }

  private void nextFile() {
    if (files.hasNext()) {
      file = files.next();
      phase = RunPhase.PUT_FILE;
    } else {
      file = null;
      phase = RunPhase.PUT_COMMIT;
    }
  }

  void put(ObjectStore.PutAnswer answer) {
    if (phase == RunPhase.PUT_FILE) {
      attempts++;
      if (answer instanceof ObjectStore.Unclear) {
        phase = RunPhase.CHECK_FILE;
      } else {
        fileIsThere(); // Its name has its hash: any writer will do.
      }
      return;
    }
    sent = bytes();
    attempts++;
    if (answer instanceof ObjectStore.Created) {
      take(sent);
    } else {
      phase = RunPhase.LOOK;
    }
  }

  private void fileIsThere() {
    attempts = 0;
    nextFile();
  }

  void checked(ObjectStore.HeadAnswer answer) {
    if (answer instanceof ObjectStore.Present) {
      fileIsThere();
    } else if (answer instanceof ObjectStore.Unclear unclear) {
      end(new Unanswered(unclear));
    } else if (attempts < MOST_ATTEMPTS) {
      phase = RunPhase.PUT_FILE;
    } else {
      end(new Unanswered(new ObjectStore.Unclear("a file could not be written", true)));
    }
  }

  private void end(RunOutcome how) {
    outcome = how;
    phase = RunPhase.ENDED;
  }

  private Map.Entry<String, byte[]> current() {
    if (file == null) {
      throw new IllegalStateException("there is no file");
    }
    return file;
  }

  private byte[] bytes() {
    if (proposal == null) {
      throw new IllegalStateException("nothing is proposed");
    }
    return proposal.commit();
  }

  private RunOutcome ended() {
    if (outcome == null) {
      throw new IllegalStateException("it has not ended");
    }
    return outcome;
  }

  @Override
  public String toString() {
    return phase + " at " + state.version() + (sent == null ? "" : ", sent") + ", " + attempts;
  }
}
