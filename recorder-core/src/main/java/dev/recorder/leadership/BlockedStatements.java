package dev.recorder.leadership;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reports when other sessions repeatedly block the same kind of statement, such as by a lock on
 * {@code info_recorders}. Such a block ends leases without another visible cause. A single block is
 * not reported, and a report is repeated at most once a minute.
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

  /** Notes that another session blocked {@code action}. Returns a signal if it must be reported. */
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

  /** Notes that {@code action} was not blocked. */
  void passed(ControlAction action) {
    Spell spell = spells.get(action.getClass());
    if (spell != null) {
      spell.inARow = 0;
    }
  }
}
