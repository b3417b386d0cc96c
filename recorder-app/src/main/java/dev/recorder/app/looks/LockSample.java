package dev.recorder.app.looks;

import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.AdvisoryRow;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.lock.postgres.MutexRow;
import dev.recorder.lock.postgres.TimeoutRow;
import dev.recorder.operate.Inspection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Locks that are held or waited for, without the locks by which hosts hold recorders.
 *
 * @param unseen why some locks are missing; null if none are
 */
public record LockSample(List<SeenLock> locks, @Nullable String unseen) {
  /** The most locks of each kind. */
  private static final int MOST = 1_000;

  public static final LockSample NONE = new LockSample(List.of(), null);

  /**
   * A lock.
   *
   * @param state held, waiting, taken or not due
   * @param holder the lock's holder, or a waiter
   * @param since null if unknown
   */
  public record SeenLock(
      String kind, String name, String state, String holder, @Nullable Instant since) {}

  public LockSample {
    locks = List.copyOf(locks);
  }

  static LockSample of(Inspection database) {
    List<SeenLock> seen = new ArrayList<>();
    String unseen = null;
    LockAdmin admin = database.locks(); // Not closed, since it uses the sample's session.
    try {
      admin.advisory(MOST).stream()
          .filter(LockSample::isShown)
          .map(LockSample::of)
          .forEach(seen::add);
      admin.mutexes(MOST).stream()
          .filter(MutexRow::acquired)
          .map(LockSample::of)
          .forEach(seen::add);
      admin.timeouts(MOST).stream()
          .filter(row -> !row.due())
          .map(LockSample::of)
          .forEach(seen::add);
    } catch (LockException missing) {
      unseen = missing.problem();
    }
    seen.sort(Comparator.comparing((SeenLock lock) -> !lock.state().equals("waiting")));
    return new LockSample(seen, unseen);
  }

  private static boolean isShown(AdvisoryRow row) {
    return row.recorder() == null || !row.granted();
  }

  private static SeenLock of(AdvisoryRow row) {
    String state = row.granted() ? "held" : "waiting";
    return new SeenLock(
        "advisory", row.label(), state, row.session(), row.granted() ? null : row.since());
  }

  private static SeenLock of(MutexRow row) {
    return new SeenLock(
        "mutex", name(row.queue(), row.id()), "taken", somebody(row.owner()), row.acquiredAt());
  }

  private static SeenLock of(TimeoutRow row) {
    return new SeenLock(
        "timeout", name(row.queue(), row.id()), "not due", somebody(row.owner()), row.acquiredAt());
  }

  private static String somebody(@Nullable String owner) {
    return owner == null ? "unknown owner" : owner;
  }

  private static String name(String queue, String id) {
    return queue.equals("default") ? id : queue + "/" + id;
  }
}
