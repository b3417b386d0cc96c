package dev.recorder.slotlog;

import dev.recorder.handoff.Position;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Event.StoreEvent;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SlotWriter} wants done. Whoever drives it carries out each effect on its lane, one
 * at a time per lane and in order, and hands the answer back with the same ticket. What is done,
 * and where, the effect says by its type: nobody asks for it again on the way.
 */
public sealed interface Effect {

  /** One that the log in the database carries out. */
  sealed interface LedgerEffect extends Effect {
    LedgerEvent on(Ledger ledger);
  }

  /** One that the slots in the store carry out. */
  sealed interface StoreEffect extends Effect {
    StoreEvent on(SlotStore store);
  }

  /** One that is about one slot. */
  sealed interface OfSlot extends Effect {
    long slot();
  }

  /**
   * Whether the effect may only be <em>started</em> while the lease lives. A driver that finds it
   * ended answers {@link Event.LeaseEnded} instead. For speed and order, not for safety.
   */
  default boolean needsLease() {
    return false;
  }

  /** Read the recorder's row, if the term still is the one in it. */
  record Load() implements LedgerEffect {
    @Override
    public LedgerEvent on(Ledger ledger) {
      return ledger.load();
    }
  }

  /** Compare {@code _log.json} in the store with the log's UUID. */
  record CheckIdentity() implements StoreEffect {
    @Override
    public StoreEvent on(SlotStore store) {
      return store.checkIdentity();
    }
  }

  /** Look whether slot {@code slot} is in the store. */
  record Look(long slot) implements StoreEffect, OfSlot {
    @Override
    public StoreEvent on(SlotStore store) {
      return store.look(slot);
    }
  }

  /**
   * Read the next rows and build the content of {@code slot}, only if the row still says this term
   * and {@code lastSlot}.
   *
   * @param lastSlot what the row must say: {@code slot - 1}, or {@code slot - 2} when building
   *     ahead
   * @param onlyIfFull whether rows that do not fill a slot are left waiting
   */
  record Read(long slot, long lastSlot, Position position, boolean onlyIfFull)
      implements LedgerEffect, OfSlot {
    /** Whether the slot before it is still under way. */
    public boolean isAhead() {
      return lastSlot == slot - 2;
    }

    @Override
    public LedgerEvent on(Ledger ledger) {
      return ledger.read(this);
    }
  }

  /** Insert the slot's row, on the session that read the content, and commit. */
  record Plan(SlotContent content) implements LedgerEffect, OfSlot {
    @Override
    public long slot() {
      return content.slot();
    }

    @Override
    public LedgerEvent on(Ledger ledger) {
      return ledger.plan(content);
    }

    @Override
    public boolean needsLease() {
      return true;
    }
  }

  /**
   * PUT the content under its slot's key if nothing is there.
   *
   * @param chain with this slot; it is known once the slot before is settled
   */
  record Put(SlotContent content, LogChain chain) implements StoreEffect, OfSlot {
    @Override
    public long slot() {
      return content.slot();
    }

    @Override
    public StoreEvent on(SlotStore store) {
      return store.put(content, chain);
    }

    @Override
    public boolean needsLease() {
      return true;
    }
  }

  /**
   * Record that {@code content} is in the store and, in the same transaction, plan {@code next}; on
   * the session that read and planned {@code content}. Another session may talk to a database that
   * has lost the plan and the rows behind it, and has given their xids to others: there the slot
   * can only be adopted.
   *
   * @param chain with this slot
   * @param next built ahead on that session, or null
   */
  record Settle(SlotContent content, LogChain chain, @Nullable SlotContent next)
      implements LedgerEffect, OfSlot {
    @Override
    public long slot() {
      return content.slot();
    }

    @Override
    public LedgerEvent on(Ledger ledger) {
      return ledger.settle(this);
    }

    @Override
    public boolean needsLease() {
      return true;
    }
  }

  /** Settle slot {@code head.lastSlot() + 1}, which somebody else wrote. */
  record Adopt(LogHead head, ObjectMetadata object) implements LedgerEffect, OfSlot {
    @Override
    public long slot() {
      return head.lastSlot() + 1;
    }

    @Override
    public LedgerEvent on(Ledger ledger) {
      return ledger.adopt(this);
    }

    @Override
    public boolean needsLease() {
      return true;
    }
  }

  /** Answer {@link Event.Woken} at {@code atNanos}, or earlier. */
  record Wake(long atNanos) implements Effect {}

  /**
   * Answer {@link Event.Woken} when so many rows may have come since the last read, and at {@code
   * atNanos} whatever has.
   *
   * @param rows a hint, except 1: any row that can be read must be reported soon
   */
  record AwaitRows(long rows, long atNanos) implements Effect {
    public AwaitRows {
      if (rows < 1) {
        throw new IllegalArgumentException("nobody waits for " + rows + " rows");
      }
    }
  }

  /** The writer has ended; nothing of it is under way that matters. No answer is expected. */
  record Finish(Ending ending) implements Effect {}
}
