package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.machine.poll.RowSignal;
import dev.recorder.slotlog.Adoption;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.testing.Origins;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** When the writer of a term counts as getting on, by a clock that is moved by hand. */
class ActiveTermTest {
  private static final Term TERM = new Term(1, 3, "a", new UUID(1, 2));
  private static final Effect LOAD = new Effect.Load();

  private long now = Long.MAX_VALUE - 1; // soon to overflow, as monotonic time may
  private final ActiveTerm term =
      new ActiveTerm(new RowSignal(new RecorderName("orders"), closed -> {}, now), TERM, () -> now);

  @Test
  void whatHangsInAPauseIsNoHaltUntilThePauseIsOver() {
    now += 50;
    term.isPaused();
    now += 10;
    term.answered(LOAD, new Event.DatabaseUnclear("gone"));
    assertThat(now - term.progressAt()).isEqualTo(10);

    now += 30;
    assertThat(now - term.progressAt()).isEqualTo(40);
  }

  @Test
  void whatHangsCountsFromWhenTheWriterLastMadeProgressWhetherItIsPausedOrNot() {
    now += 50;
    term.answered(LOAD, new Event.NothingWaiting());
    now += 20;
    term.answered(LOAD, new Event.DatabaseUnclear("a table is locked", true));
    term.isPaused();
    now += 10;

    assertThat(term.sinceOwnProgress()).isEqualTo(Duration.ofNanos(30));
  }

  @Test
  void aSlotThatIsSettledAfterAPauseIsProgress() {
    term.isPaused();
    now += 50;
    LogHead head = new LogHead(0, 1, Origins.CHAIN, Position.START);
    ObjectMetadata object =
        new ObjectMetadata(
            "orders",
            new UUID(0, 1),
            1,
            1,
            "b",
            3,
            "x",
            Origins.CHAIN.then("x"),
            null,
            null,
            Origins.READ_AT);
    LogHead adopted = head.adopting(object, Position.START);
    term.answered(new Effect.Adopt(head, object), new Event.Adopted(adopted, Adoption.byWindow(3)));

    assertThat(term.progressAt()).isEqualTo(now);
  }
}
