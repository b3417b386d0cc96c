package dev.recorder.simulation;

import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.HandoffTable;
import dev.recorder.simulation.servers.LeafLocks;
import dev.recorder.simulation.servers.NewRow;
import dev.recorder.simulation.servers.ProducerTransaction;
import dev.recorder.simulation.servers.Tables;
import dev.recorder.simulation.time.Chance;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applications that write hand-off rows in transactions of all lengths, side by side, some of which
 * abort. Remembers for each row when its transaction began and ended.
 */
final class Producers {
  private static final long MILLI = 1_000_000;

  private final World world;
  private final Chance chance;
  private final boolean someCommitAsynchronously;
  private final boolean someCommitInTwoPhases;
  private final Map<Integer, Story> stories = new HashMap<>();
  private final Map<ProducerTransaction, Story> inTwoPhases = new HashMap<>();
  private final Rhythm rhythm;
  private int rows;
  private long moments;
  private int running;
  private boolean closing;

  /** How transactions follow each other: both full slots and lingering ones must be seen. */
  private enum Rhythm {
    STEADY,
    QUIET,
    BURSTS;

    long pauseMillis(Chance chance) {
      return switch (this) {
        case STEADY -> chance.between(0, 60);
        case QUIET -> chance.between(0, 600);
        case BURSTS -> chance.hit(0.05) ? chance.between(0, 2_000) : chance.between(0, 20);
      };
    }
  }

  /** When a transaction wrote first and when it committed, in the order of all such moments. */
  static final class Story {
    private long began;
    private long committed = Long.MAX_VALUE;

    long began() {
      return began;
    }

    /** Greater than any moment if it has not. */
    long committed() {
      return committed;
    }
  }

  Producers(World world) {
    this.world = world;
    this.chance = world.chance.split();
    this.rhythm = chance.pick(List.of(Rhythm.values()));
    this.someCommitInTwoPhases = world.profile.losesHistory();
    this.someCommitAsynchronously = world.profile.faults().contains(Fault.DATABASE_CRASH);
  }

  void start() {
    next();
  }

  /** No new transactions; those that run come to their end. */
  void close() {
    closing = true;
  }

  boolean areDone() {
    return closing && running == 0 && world.database().tables().running.isEmpty();
  }

  /** The story of the row with this number. */
  Story story(int row) {
    Story story = stories.get(row);
    if (story == null) {
      throw new BrokenPromise("row " + row + " is in the log, and nobody wrote it");
    }
    return story;
  }

  /** Commits one row of recorder 1 now. */
  void writeOne() {
    Story story = new Story();
    story.began = ++moments;
    ProducerTransaction transaction = world.database().begin(false);
    stories.put(++rows, story);
    world.database().insert(transaction, 1, null, "{\"row\":" + rows + "}");
    running++;
    finish(transaction, story, false);
  }

  private void next() {
    if (!closing) {
      world.time.after(rhythm.pauseMillis(chance) * MILLI, "application begins", this::begin);
    }
  }

  private void begin() {
    running++;
    boolean asynchronously = someCommitAsynchronously && chance.hit(0.3);
    int size = 1 + chance.below(chance.hit(0.1) ? 12 : 3);
    FakeDatabase database = chance.pick(world.servers.all());
    insert(database.begin(asynchronously), new Story(), size, chance.hit(0.1));
    next();
  }

  private void insert(
      ProducerTransaction transaction, Story story, int rowsLeft, boolean willAbort) {
    if (rowsLeft == 0) {
      finish(transaction, story, willAbort);
      return;
    }
    int row = ++rows;
    if (story.began == 0) {
      story.began = ++moments;
    }
    stories.put(row, story);
    int lockId = 1 + chance.below(world.profile.recorders());
    @Nullable String key = chance.hit(0.3) ? null : "k" + chance.below(5);
    String payload = "{\"row\":" + row + (chance.hit(0.1) ? ",\n\"x\":1}" : "}");
    long id = transaction.database.handoff(lockId).nextId();
    NewRow inserted = new NewRow(lockId, id, key, payload);
    Runnable rest = () -> goOn(transaction, story, rowsLeft, willAbort);
    if (world.profile.clears() && world.clearingChance().hit(0.3)) {
      world.latecomers.add(
          new LeafLocks.Leaf(lockId, HandoffTable.leafOf(id)),
          world.clearingChance().between(0, 1_500) * MILLI,
          () -> place(transaction, inserted, rest));
    } else {
      place(transaction, inserted, rest);
    }
  }

  private void place(ProducerTransaction transaction, NewRow inserted, Runnable rest) {
    switch (transaction.database.insert(transaction, inserted)) {
      case DONE -> rest.run();
      case WAITS ->
          world.time.after(
              world.clearingChance().between(0, 5) * MILLI,
              "application waits",
              () -> place(transaction, inserted, rest));
      case GONE -> running--;
    }
  }

  private void goOn(ProducerTransaction transaction, Story story, int rowsLeft, boolean willAbort) {
    long pause = chance.hit(0.03) ? chance.between(0, 2_000) * MILLI : chance.between(0, 4 * MILLI);
    world.time.after(
        pause, "application goes on", () -> insert(transaction, story, rowsLeft - 1, willAbort));
  }

  private void finish(ProducerTransaction transaction, Story story, boolean willAbort) {
    running--;
    if (willAbort) {
      transaction.database.abort(transaction);
    } else if (someCommitInTwoPhases && chance.hit(0.1)) {
      prepare(transaction, story);
    } else {
      commit(transaction, story);
    }
  }

  private void prepare(ProducerTransaction transaction, Story story) {
    if (transaction.database.prepare(transaction)) {
      inTwoPhases.put(transaction, story);
      commitLater(transaction);
    }
  }

  private void commitLater(ProducerTransaction transaction) {
    world.time.after(
        chance.between(0, 2_000) * MILLI,
        "second phase",
        () -> commit(transaction, inTwoPhases.getOrDefault(transaction, new Story())));
  }

  /** Whoever manages the transactions finds some prepared that it had committed already. */
  void commitWhatIsPrepared() {
    Tables tables = world.database().tables();
    tables.running.values().forEach(this::commitLater);
  }

  private void commit(ProducerTransaction transaction, Story story) {
    boolean committed = false;
    // A prepared transaction may be in two servers, of which one was copied from the other.
    for (FakeDatabase database : world.servers.all()) {
      committed |= database.commit(transaction);
    }
    if (committed) {
      story.committed = Math.min(story.committed, ++moments);
      if (world.profile.clears() && world.clearingChance().hit(0.002)) {
        transaction.database.missByIndex(transaction);
      }
      world.time.note("committed " + transaction.rows.size() + " rows of xid " + transaction.xid);
    }
  }
}
