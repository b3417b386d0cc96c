package dev.recorder.machine.term;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.SlotStore;
import java.time.Instant;
import java.util.UUID;

/**
 * Runs through the steps of a term without effect, so that a missing right, table or memory is
 * noticed before the host takes the recorder. It also opens the data session and loads classes,
 * which makes a takeover faster.
 *
 * <p>It reads the rows of the next slot, within the limits of a slot, and discards them. It writes
 * with an epoch that never exists, so every conditional statement is fenced.
 */
final class Preflight {
  static final long NO_EPOCH = -1;

  /**
   * Reads are repeated, since an active host may settle a slot between a look at the row and the
   * read.
   */
  private static final int READS = 5;

  /** A placeholder; no slot is settled with it. */
  private static final LogChain NO_CHAIN = LogChain.of(new UUID(0, 0));

  private final RecorderSettings settings;
  private final Ledger never;
  private final SlotStore store;

  /**
   * Creates a preflight.
   *
   * @param never a ledger bound to {@link #NO_EPOCH}
   */
  Preflight(RecorderSettings settings, Ledger never, SlotStore store) {
    this.settings = settings;
    this.never = never;
    this.store = store;
  }

  /**
   * Reads as the current term would.
   *
   * @param current a ledger bound to the term that the recorder's row names
   * @return why the read failed; empty if it succeeded, or if the term has just ended
   */
  String read(Ledger current) {
    LedgerEvent answer = new Event.Fenced();
    for (int i = 0; i < READS && answer instanceof Event.Fenced; i++) {
      answer = current.load();
      if (answer instanceof Event.Loaded at) {
        LogHead head = at.head();
        long last = head.lastSlot();
        answer = current.read(new Effect.Read(last + 1, last, head.position(), false));
      }
    }
    return trouble(answer);
  }

  /**
   * Writes as a term would.
   *
   * @param session the data session that the ledger is on
   * @return why the write failed; empty if it succeeded
   */
  String write(String session) {
    SlotContent.Origin origin = new SlotContent.Origin(session, new DatabaseIdentity("", 0, 0, 0));
    String trouble = trouble(never.load());
    if (!trouble.isEmpty()) {
      return trouble;
    }
    SlotContentBuilder builder =
        new SlotContentBuilder(settings.rotation(), settings.layout().compression());
    builder.offer(new HandoffRow(1, 3, 0, "key", "{}"));
    Window window = new Window(Snapshot.NOTHING, Snapshot.parse("4:4:"), true);
    SlotContent content = builder.build(1, origin, Instant.EPOCH, window);
    trouble = trouble(never.plan(content));
    if (trouble.isEmpty()) {
      trouble = trouble(never.settle(new Effect.Settle(content, NO_CHAIN, null)));
    }
    store.look(1);
    return trouble;
  }

  private static String trouble(LedgerEvent event) {
    if (event instanceof Event.DatabaseUnclear unclear) {
      return unclear.why();
    }
    return event instanceof Event.DatabaseRefused refused ? refused.why() : "";
  }
}
