package dev.recorder.app.soak;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Does what the plan draws, and heals each fault when its time has come.
 *
 * <p>Faults are held back while a recorder does not move: one that does not move although nothing
 * is broken any more has to be found, and not to be buried under further faults.
 */
final class Injector implements AutoCloseable {
  private static final Duration HOLD_BACK_AFTER = Duration.ofSeconds(20);
  private static final Duration STUCK_AFTER = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(30);
  private static final Duration HEAL_WITHIN = Duration.ofSeconds(60);

  /** A run in which less than that befell anything has shown nothing, however long it was. */
  private static final int LEAST_KINDS = 2;

  private final SoakPlan plan;
  private final Scene scene;
  private final Supplier<Stillness> stillness;
  private final Supplier<String> progress;
  private final Journal journal;
  private final ExecutorService healers = Executors.newCachedThreadPool();
  private final Set<Wound> wounds = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> counts = new TreeMap<>();
  private long nextProgress;

  /**
   * @param stillness of the recorder that has stood still for longest
   * @param progress for people
   */
  Injector(
      SoakPlan plan,
      Scene scene,
      Supplier<Stillness> stillness,
      Supplier<String> progress,
      Journal journal) {
    this.plan = plan;
    this.scene = scene;
    this.stillness = stillness;
    this.progress = progress;
    this.journal = journal;
  }

  /**
   * Runs for {@code length} and until faults of two kinds have befallen something, and heals
   * everything.
   *
   * @return false if a recorder stood still without a fault
   */
  boolean run(Duration length) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    boolean moving = true;
    Drawn next = plan.next();
    long due = System.nanoTime() + next.gap().toNanos();
    while (moving && (System.nanoTime() - end < 0 || counts.size() < LEAST_KINDS)) {
      Thread.sleep(POLL.toMillis());
      lookAfter();
      if (stillness.get().time().compareTo(HOLD_BACK_AFTER) > 0) {
        moving = awaitMove();
      } else if (System.nanoTime() - due >= 0) {
        strike(next);
        next = plan.next();
        due = System.nanoTime() + next.gap().toNanos();
      }
    }
    healAll();
    return moving;
  }

  /** Faults that befell something, by kind. */
  Map<String, Integer> counts() {
    return Map.copyOf(counts);
  }

  private void strike(Drawn drawn) throws InterruptedException {
    Optional<Struck> struck = drawn.kind().strike(scene, drawn);
    if (struck.isEmpty()) {
      journal.say("%s: skipped, nothing to befall", drawn);
      return;
    }
    counts.merge(drawn.label(), 1, Integer::sum);
    journal.say("%s: %s", drawn, struck.get().whom());
    wounds.add(new Wound(drawn, struck.get()));
  }

  private void lookAfter() {
    wounds.stream().filter(Wound::isDue).forEach(wound -> healers.execute(wound::heal));
    scene.hosts().restartTheEnded();
    scene.s3().tidy();
    if (System.nanoTime() - nextProgress >= 0) {
      nextProgress = System.nanoTime() + PROGRESS_EVERY.toNanos();
      journal.say("%s", progress.get());
    }
  }

  /** Waits for a recorder that stands still; false if it does so for long without a fault. */
  private boolean awaitMove() throws InterruptedException {
    journal.say(
        "%s has stood still for %d s: no further fault until it moves",
        stillness.get().recorder(), HOLD_BACK_AFTER.toSeconds());
    long quiet = System.nanoTime();
    while (stillness.get().time().compareTo(HOLD_BACK_AFTER) > 0) {
      Thread.sleep(POLL.toMillis());
      lookAfter();
      if (!wounds.isEmpty()) {
        quiet = System.nanoTime();
      }
      if (System.nanoTime() - quiet > STUCK_AFTER.toNanos()) {
        Stillness still = stillness.get();
        journal.blame(
            "%s has stood still for %d s, %d s of them without a fault",
            still.recorder(), still.time().toSeconds(), STUCK_AFTER.toSeconds());
        return false;
      }
    }
    journal.say("it moves again");
    return true;
  }

  private void healAll() throws InterruptedException {
    wounds.forEach(wound -> healers.execute(wound::heal));
    healers.shutdown();
    if (!healers.awaitTermination(HEAL_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      journal.blame("not everything was healed within %d s: %s", HEAL_WITHIN.toSeconds(), wounds);
    }
    scene.hosts().restartTheEnded();
  }

  @Override
  public void close() {
    healers.shutdownNow();
  }

  /** A fault that is yet to be healed. */
  private final class Wound {
    private final Drawn drawn;
    private final Struck struck;
    private final AtomicBoolean healing = new AtomicBoolean();
    private final long start = System.nanoTime();

    Wound(Drawn drawn, Struck struck) {
      this.drawn = drawn;
      this.struck = struck;
    }

    boolean isDue() {
      return System.nanoTime() - start >= drawn.lasts().toNanos() && !healing.get();
    }

    void heal() {
      if (!healing.compareAndSet(false, true)) {
        return;
      }
      try {
        struck.heal().run();
        wounds.remove(this);
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | AssertionError broken) {
        journal.blame("%s of %s could not be healed: %s", drawn, struck.whom(), broken);
      }
    }

    @Override
    public String toString() {
      return drawn + ": " + struck.whom();
    }
  }
}
