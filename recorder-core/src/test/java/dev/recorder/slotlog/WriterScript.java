package dev.recorder.slotlog;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.testing.Origins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Plays driver, database and store to a writer by hand. Its log has five slots. */
final class WriterScript {
  static final UUID LOG = new UUID(1, 2);
  static final LogHead HEAD =
      new LogHead(5, 1, Origins.CHAIN, Position.doneUpTo(Snapshot.parse("50:50:")));

  private final SlotWriter writer;
  private final List<Ticketed> asked = new ArrayList<>();
  private long now = Long.MAX_VALUE - 1_000_000_000L; // soon to overflow, as monotonic time may

  WriterScript(Duration linger) {
    writer = new SlotWriter(WriterPolicy.withLinger(LingerRule.of(linger)));
  }

  /** A writer that rows wait a second for, started. */
  static WriterScript started() {
    WriterScript script = new WriterScript(Duration.ofSeconds(5));
    script.asked.addAll(script.writer.start());
    return script;
  }

  /** Started and recovered: it reads slot 6. */
  static WriterScript reading() {
    return started()
        .answer(new Event.Loaded(HEAD))
        .answer(1, found(5, "5"))
        .answer(new Event.Missing());
  }

  static WriterScript planning() {
    return reading().answer(new Event.Built(content(6, false)));
  }

  static WriterScript putting() {
    return planning().answer(new Event.Planned());
  }

  static WriterScript settling() {
    return putting().answer(new Event.PutCreated());
  }

  /** Slot 6 is sent and slot 7 is being read. */
  static WriterScript buildingAhead() {
    return reading().answer(new Event.Built(content(6, true))).answer(new Event.Planned());
  }

  /** Answers the only effect that is asked for. */
  WriterScript answer(Event event) {
    if (asked.size() != 1) {
      throw new AssertionError("not one effect: " + asked());
    }
    return answer(0, event);
  }

  /** Answers one of the effects that are asked for. */
  WriterScript answer(int which, Event event) {
    Ticketed ticketed = asked.remove(which);
    asked.addAll(writer.on(ticketed.ticket(), event, now));
    return this;
  }

  /** Answers something that nobody asked for any more. */
  WriterScript answerTicket(long ticket, Event event) {
    asked.addAll(writer.on(ticket, event, now));
    return this;
  }

  WriterScript stop() {
    asked.addAll(writer.stop());
    return this;
  }

  /** Lets time pass to the moment the writer wants to be woken, and wakes it. */
  WriterScript wake() {
    now = effect(0) instanceof Effect.AwaitRows rows ? rows.atNanos() : wakeAt(effect(0));
    return answer(new Event.Woken());
  }

  private static long wakeAt(Effect effect) {
    return ((Effect.Wake) effect).atNanos();
  }

  /** Rows have come, so it is woken at once. */
  WriterScript rowsCome() {
    return answer(new Event.Woken());
  }

  Effect effect(int which) {
    return asked.get(which).effect();
  }

  long ticket(int which) {
    return asked.get(which).ticket();
  }

  /** What is asked for and not answered yet, in words. */
  String asked() {
    return String.join(", ", asked.stream().map(t -> words(t.effect())).toList());
  }

  private String words(Effect effect) {
    if (effect instanceof Effect.Look look) {
      return "Look " + look.slot();
    } else if (effect instanceof Effect.Read read) {
      return "Read " + read.slot() + " after " + read.lastSlot();
    } else if (effect instanceof Effect.Plan plan) {
      return "Plan " + plan.content().slot();
    } else if (effect instanceof Effect.Put put) {
      return "Put " + put.content().slot();
    } else if (effect instanceof Effect.Settle settle) {
      SlotContent next = settle.next();
      return "Settle " + settle.content().slot() + (next == null ? "" : " plan " + next.slot());
    } else if (effect instanceof Effect.Adopt adopt) {
      return "Adopt " + (adopt.head().lastSlot() + 1);
    } else if (effect instanceof Effect.Wake wake) {
      return "Wake in " + (wake.atNanos() - now) / 1_000_000 + " ms";
    } else if (effect instanceof Effect.AwaitRows rows) {
      return "Await " + rows.rows() + " within " + (rows.atNanos() - now) / 1_000_000 + " ms";
    } else if (effect instanceof Effect.Finish finish) {
      return "Finish " + finish.ending().kind();
    }
    return effect.getClass().getSimpleName();
  }

  static SlotContent content(long slot, boolean more) {
    SlotContentBuilder content = new SlotContentBuilder(Rotation.DEFAULT, Compression.NONE);
    content.offer(new HandoffRow(slot, 60, 0, null, "{}"));
    Window window = new Window(Snapshot.parse("50:50:"), Snapshot.parse("99:99:"), !more);
    return content.build(slot, Origins.of("session"), Origins.READ_AT, window);
  }

  static Event.Found found(long slot, String sha256) {
    return new Event.Found(
        new ObjectMetadata(
            "orders",
            LOG,
            slot,
            3,
            "host-b",
            1,
            sha256,
            chain(sha256),
            null,
            null,
            Origins.READ_AT));
  }

  /** Behind the five slots. */
  static LogChain chain(String sha256) {
    return HEAD.chain().then(sha256);
  }

  static Event.Found foundMine(long slot, boolean more) {
    return found(slot, content(slot, more).sha256());
  }

  static Event.Found foundMine(long slot, DatabaseIdentity writer) {
    String sha256 = content(slot, false).sha256();
    return new Event.Found(
        new ObjectMetadata(
            "orders",
            LOG,
            slot,
            3,
            "host-b",
            1,
            sha256,
            chain(sha256),
            writer,
            null,
            Origins.READ_AT));
  }

  static Event.Adopted adopted(long slot) {
    return new Event.Adopted(
        new LogHead(slot, 1, Origins.CHAIN, HEAD.position()), Adoption.byWindow(1));
  }
}
