package dev.recorder.app.looks;

import dev.recorder.operate.Inspection;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.SlotRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes samples of the database. Remembers the last slots, from which it calculates rates. Not
 * thread-safe.
 */
public final class DatabaseSampling {
  /** The most rows that are counted, so that a backlog does not make samples expensive. */
  public static final int COUNT_UP_TO = 10_000;

  /** The most slots between two samples for which a rate is calculated. */
  private static final long MOST_SLOTS = 20_000;

  private static final double NANOS = 1e9;

  private final Duration freshWithin;
  private final Limits limits;
  private Map<Integer, Long> slots = Map.of();
  private @Nullable Instant at;

  /**
   * Creates an object that knows no sample yet.
   *
   * @param freshWithin the age up to which a heartbeat counts as alive
   * @param limits the limits beyond which there are notes
   */
  public DatabaseSampling(Duration freshWithin, Limits limits) {
    this.freshWithin = freshWithin;
    this.limits = limits;
  }

  SiteSample at(Inspection database) {
    Facts facts = database.facts(freshWithin, COUNT_UP_TO);
    List<RecorderStatus> recorders = facts.recorders().stream().map(RecorderFacts::status).toList();
    return new SiteSample(
        Diagnosis.of(facts, limits),
        limits.hosts(),
        database.workCounts(recorders, COUNT_UP_TO),
        rates(database, facts),
        LockSample.of(database));
  }

  private Map<Integer, Double> rates(Inspection database, Facts facts) {
    Map<Integer, Double> rates = new HashMap<>();
    Map<Integer, Long> now = new HashMap<>();
    List<SlotRange> moved = new ArrayList<>();
    double seconds = at == null ? 0 : Duration.between(at, facts.at()).toNanos() / NANOS;
    for (RecorderFacts recorder : facts.recorders()) {
      if (recorder.isLog()) {
        long last = recorder.status().lastSlot();
        Long before = slots.get(recorder.lockId());
        now.put(recorder.lockId(), last);
        if (before != null && seconds > 0 && last >= before && last - before <= MOST_SLOTS) {
          rates.put(recorder.lockId(), 0d);
          if (last > before) {
            moved.add(new SlotRange(recorder.lockId(), before, last));
          }
        }
      }
    }
    database.recordedRows(moved).forEach((lockId, rows) -> rates.put(lockId, rows / seconds));
    slots = now;
    at = facts.at();
    return rates;
  }
}
