package dev.recorder.requests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Workers, a table and producers around a {@link WorkerScheduler}, in a time of their own. Rows
 * become visible late and out of order; units take long, fail, and lose their sessions; some rows
 * are notified.
 */
final class WorkerSchedulerDrive {
  /** Claims that a look may have to make until it comes to a certain row, and what each takes. */
  static final Duration LONGEST_LOOK = Duration.ofMillis(300);

  private static final long MILLI = 1_000_000;

  private final SplittableRandom random;
  private final WorkerScheduler scheduler = new WorkerScheduler(0);
  private final List<Row> rows = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private long now;
  private long nextArrival;
  private long nextId;
  private long nobodyIdleUntil;
  private long longestWait;
  private int begun;
  private int looks;

  WorkerSchedulerDrive(long seed, int workers) {
    this.random = new SplittableRandom(seed);
    for (int i = 0; i < workers; i++) {
      this.workers.add(new Worker());
    }
  }

  private record Row(long id, long visibleAt) {}

  private final class Worker {
    private boolean idle = true;
    private boolean looking;
    private boolean claiming;
    private long wakesAt;
    private long snapshot;
    private TablePass pass = new TablePass(0);

    void look() {
      looks++;
      scheduler.begun(now);
      idle = false;
      looking = true;
      beginPass();
    }

    private void beginPass() {
      pass = new TablePass(now);
      claim();
    }

    private void claim() {
      claiming = true;
      snapshot = now;
      wakesAt = now + between(MILLI / 10, 2 * MILLI);
    }

    void wake() {
      if (claiming) {
        claimed();
      } else {
        worked();
      }
    }

    private void claimed() {
      Row row =
          rows.stream()
              .filter(r -> r.visibleAt() <= snapshot && r.id() > pass.line())
              .min((a, b) -> Long.compare(a.id(), b.id()))
              .orElse(null);
      if (row == null) {
        pass.claimed(new Claim.Nothing(), now);
        goOn();
        return;
      }
      rows.remove(row);
      begun++;
      longestWait = Math.max(longestWait, now - Math.max(row.visibleAt(), nobodyIdleUntil));
      pass.claimed(new Claim.Begun(row.id(), "", RequestType.CREATE, 1, 0, new UUID(0, 0)), now);
      if (looking) {
        looking = false;
        scheduler.claimed();
      }
      claiming = false;
      wakesAt = now + (chance(0.5) ? between(0, 50 * MILLI) : between(0, 2_500 * MILLI));
    }

    private void worked() {
      if (chance(0.1)) {
        idle = true;
        scheduler.failed(false, now);
        return;
      }
      if (chance(0.5)) {
        pass.settled(now);
      }
      goOn();
    }

    private void goOn() {
      if (pass.goesOn()) {
        claim();
      } else if (scheduler.ended(pass.end(), looking, now)) {
        beginPass();
      } else {
        idle = true;
      }
    }
  }

  void run(Duration howLong) {
    long until = now + howLong.toNanos();
    while (true) {
      long next = Math.min(until, nextArrival);
      boolean anyIdle = false;
      for (Worker worker : workers) {
        anyIdle |= worker.idle;
        next = worker.idle ? next : Math.min(next, worker.wakesAt);
      }
      if (anyIdle) {
        next = Math.min(next, now + Math.max(0, scheduler.untilNext(now)));
      }
      now = Math.max(now, next);
      if (now >= until) {
        return;
      }
      step();
      if (workers.stream().noneMatch(worker -> worker.idle)) {
        nobodyIdleUntil = now;
      }
    }
  }

  private void step() {
    if (nextArrival <= now) {
      arrive();
    }
    for (Worker worker : workers) {
      if (!worker.idle && worker.wakesAt <= now) {
        worker.wake();
      }
      // Time goes on between a look that is over and the next.
      if (worker.idle && scheduler.untilNext(now) <= 0) {
        worker.look();
      }
    }
  }

  private void arrive() {
    rows.add(new Row(++nextId, now + (chance(0.5) ? 0 : between(0, 3_000 * MILLI))));
    if (chance(0.3)) {
      scheduler.notified();
    }
    // Often one after the other, now and then nothing for a long while.
    long pause = chance(0.02) ? 30_000 * MILLI : 2_000 * MILLI / workers.size();
    nextArrival = now + between(0, pause);
  }

  /** No rows come any more. */
  void quieten() {
    nextArrival = Long.MAX_VALUE;
  }

  Duration longestWait() {
    return Duration.ofNanos(longestWait);
  }

  int begun() {
    return begun;
  }

  int looks() {
    return looks;
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  private long between(long low, long high) {
    return low >= high ? low : random.nextLong(low, high);
  }
}
