package dev.recorder.machine.term;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What blocks a writer: a bad answer, or one that does not come. Only what failed can show that it
 * is good again, as with {@link dev.recorder.logging.Outage}, or a writer that made progress all
 * the same. Of several the latest is given. Its sentences have no times in them. Thread-safe; knows
 * no clock.
 */
final class BlockedReason {
  /** An answer that takes longer is late: most take milliseconds. */
  static final Duration LATE = Duration.ofSeconds(3);

  /** What is asked, as an operator would call it. */
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

  /** {@code effect} begins at {@code now}, in ticks. */
  synchronized void begins(Effect effect, long now) {
    underWay.put(effect.getClass(), now);
  }

  /** Takes note of an answer. */
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

  /** The latest comes last. */
  @GuardedBy("this")
  private void trouble(Effect effect, String why) {
    troubles.remove(effect.getClass());
    troubles.put(effect.getClass(), why);
  }

  /**
   * The writer made progress: after a lost answer it may do so without asking the same once more.
   */
  synchronized void isOver() {
    troubles.clear();
  }

  /** What is in the way now; null if nothing is. */
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
