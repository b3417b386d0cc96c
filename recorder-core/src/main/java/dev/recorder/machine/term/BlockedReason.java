package dev.recorder.machine.term;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What blocks a writer: a failed answer, or one that does not come. A failure ends when the same
 * effect succeeds, as in {@link dev.recorder.logging.Outage}, or when the writer makes progress.
 * The latest failure is given. Its sentences contain no times. Thread-safe; uses no clock.
 */
final class BlockedReason {
  /** From this age on an unanswered effect is late; most take milliseconds. */
  static final Duration LATE = Duration.ofSeconds(3);

  /** A name for each effect, in the words of operators. */
  static final Map<Class<?>, String> WORDS =
      Map.of(
          Effect.Load.class, "a read of the recorder's row",
          Effect.CheckIdentity.class, "a look at whose log it holds",
          Effect.Look.class, "a look for the next slot",
          Effect.Read.class, "a read of the rows that wait",
          Effect.Plan.class, "the plan of a slot",
          Effect.Put.class, "a PUT of a slot",
          Effect.Settle.class, "the settling of a slot",
          Effect.Adopt.class, "the adoption of a slot that another host wrote");

  @GuardedBy("this")
  private final Map<Class<?>, String> troubles = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<Class<?>, Long> underWay = new LinkedHashMap<>();

  /** Notes that {@code effect} begins at {@code now}, in ticks. */
  synchronized void begins(Effect effect, long now) {
    underWay.put(effect.getClass(), now);
  }

  /** Notes the answer to an effect. */
  synchronized void note(Effect effect, Event event) {
    underWay.remove(effect.getClass());
    if (event instanceof Event.DatabaseUnclear unclear) {
      trouble(effect, "the database does not answer properly: " + unclear.why());
    } else if (event instanceof Event.StoreUnclear unclear) {
      trouble(effect, "S3 does not answer properly: " + unclear.why());
    } else if (!(event instanceof Event.LeaseEnded)) {
      troubles.remove(effect.getClass());
    }
  }

  /** Notes a failure as the latest. */
  @GuardedBy("this")
  private void trouble(Effect effect, String why) {
    troubles.remove(effect.getClass());
    troubles.put(effect.getClass(), why);
  }

  /**
   * Forgets all failures, since the writer made progress. After a lost answer it may do so without
   * repeating the same effect.
   */
  synchronized void isOver() {
    troubles.clear();
  }

  /** What blocks the writer at {@code now}; null if nothing does. */
  synchronized @Nullable String at(long now) {
    String latest = null;
    for (String trouble : troubles.values()) {
      latest = trouble;
    }
    if (latest != null) {
      return latest;
    }
    for (Map.Entry<Class<?>, Long> begun : underWay.entrySet()) {
      if (now - begun.getValue() >= LATE.toNanos()) {
        return late(begun.getKey());
      }
    }
    return null;
  }

  private static String late(Class<?> effect) {
    String who = Effect.StoreEffect.class.isAssignableFrom(effect) ? "S3" : "the database";
    return who + " has not answered " + WORDS.get(effect) + " yet";
  }
}
