package dev.recorder.leadership;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tells when somebody is in the way of the same kind of statement again and again, such as a lock
 * on the machines' table: leases end by it, and without a word nobody would know why. Once is
 * nothing, and more often than once a minute is noise.
 */
final class BlockedStatements {
  private static final int IN_A_ROW = 3;
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();

  private final Map<Class<? extends ControlAction>, Spell> spells = new HashMap<>();

  private static final class Spell {
    private int inARow;
    private boolean told;
    private long toldAt;
  }

  /** {@code action} was tried, and somebody was in its way. */
  Optional<Signal> met(ControlAction action, String why, long now) {
    Spell spell = spells.computeIfAbsent(action.getClass(), kind -> new Spell());
    spell.inARow++;
    if (spell.inARow < IN_A_ROW || (spell.told && now - spell.toldAt < PAUSE)) {
      return Optional.empty();
    }
    spell.told = true;
    spell.toldAt = now;
    return Optional.of(new Signal.Blocked(why));
  }

  /** {@code action} was tried, and nobody was in its way. */
  void passed(ControlAction action) {
    Spell spell = spells.get(action.getClass());
    if (spell != null) {
      spell.inARow = 0;
    }
  }
}
