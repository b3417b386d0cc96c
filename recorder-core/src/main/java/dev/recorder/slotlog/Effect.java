package dev.recorder.slotlog;

import dev.recorder.handoff.Position;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Event.StoreEvent;
import org.jspecify.annotations.Nullable;

/**
 * An action that a {@link SlotWriter} requests. The driver runs each effect in its lane, one at a
 * time per lane and in order, and returns the answer with the same ticket. The type of an effect
 * determines its action and its lane.
 */
public sealed interface Effect {

  /** An effect on the log in the database. */
  sealed interface LedgerEffect extends Effect {
    LedgerEvent on(Ledger ledger);
  }

  /** An effect on the slots in the store. */
  sealed interface StoreEffect extends Effect {
    StoreEvent on(SlotStore store);
  }

  /** An effect on one slot. */
  sealed interface OfSlot extends Effect {
    long slot();
  }

  /**
   * Returns whether the effect may only be <em>started</em> while the lease lives. If the lease has
   * ended, the driver answers {@link Event.LeaseEnded} instead. This serves speed and order, not
   * safety.
   */
  default boolean needsLease() {
    return false;
  }

  /** Read the recorder's row, if it still names this term. */
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
   * Read the next rows and build the content of {@code slot}, if the recorder's row still has this
   * term and {@code lastSlot}.
   *
   * @param lastSlot the last settled slot that the row must have: {@code slot - 1}, or {@code slot
   *     - 2} when building ahead
   * @param onlyIfFull whether rows that do not fill a slot are left waiting
   */
  record Read(long slot, long lastSlot, Position position, boolean onlyIfFull)
      implements LedgerEffect, OfSlot {
    /** Returns whether the slot before is not settled yet. */
    public boolean isAhead() {
      return lastSlot == slot - 2;
    }

    @Override
    public LedgerEvent on(Ledger ledger) {
      return ledger.read(this);
    }
  }

  /** Insert the slot's row into {@code slots}, on the session that read the content, and commit. */
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
   * PUT the content under its slot's key if no object has this key.
   *
   * @param chain the chain up to and including this slot, which is known once the slot before is
   *     settled
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
   * Record that {@code content} is in the store and, in the same transaction, plan {@code next}.
   * Runs on the session that read and planned {@code content}. Another session may reach a database
   * that has lost the plan and its rows, and has given their xids to other transactions. There the
   * slot can only be adopted.
   *
   * @param chain the chain up to and including this slot
   * @param next the content that was built ahead on that session, or null
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

  /** Settle slot {@code head.lastSlot() + 1}, which another writer has put into the store. */
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
   * Answer {@link Event.Woken} when {@code rows} rows may have come since the last read, and at
   * {@code atNanos} in any case.
   *
   * @param rows a hint, except for 1: then any readable row must be reported soon
   */
  record AwaitRows(long rows, long atNanos) implements Effect {
    public AwaitRows {
      if (rows < 1) {
        throw new IllegalArgumentException("nobody waits for " + rows + " rows");
      }
    }
  }

  /** The writer has ended, and effects that still run do not matter. No answer is expected. */
  record Finish(Ending ending) implements Effect {}
}
