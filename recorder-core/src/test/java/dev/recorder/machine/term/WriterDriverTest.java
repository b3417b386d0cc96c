package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Term;
import dev.recorder.logging.LogContext;
import dev.recorder.machine.OrdersMachines;
import dev.recorder.machine.poll.RowArrivals;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Ending;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LingerRule;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.slotlog.SlotWriter;
import dev.recorder.slotlog.WriterPolicy;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The driver on hand-driven lanes: an effect is carried out when the test says so. */
class WriterDriverTest {
  private static final LogHead EMPTY = new LogHead(0, 1, Origins.CHAIN, Position.START);
  private static final SlotStore NO_STORE =
      new SlotStore(new MemoryStore(), OrdersMachines.LAYOUT, new Term(1, 3, "a", new UUID(1, 2)));

  private final Deque<Runnable> lane = new ArrayDeque<>();
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
  private final List<Ending> endings = new ArrayList<>();
  private final Script script = new Script();
  private final WriterDriver driver =
      new WriterDriver(
          new SlotWriter(WriterPolicy.withLinger(LingerRule.AUTO)),
          new WriterDriver.Lanes(lane::add, lane::add, timer, () -> 0),
          new WriterDriver.TermWork(
              script, NO_STORE, script, () -> false, () -> LogContext.of("host-a")),
          script,
          endings::add);

  @AfterEach
  void endTheTimer() {
    timer.shutdownNow();
  }

  @Test
  void anAnswerIsReportedBeforeTheWriterGoesOn() {
    script.answers.add(new Event.Loaded(EMPTY));
    driver.start();

    lane.remove().run();

    assertThat(script.reported).containsExactly(new Event.Loaded(EMPTY));
    assertThat(lane).as("looks at the store").hasSize(2);
  }

  /** Whoever hangs in it must not seem to have nothing to do. */
  @Test
  void aWriterWaitsForNoRowsFromWhenItHasSomethingToDo() {
    driver.start();

    assertThat(lane).hasSize(1);
    assertThat(script.waitsEnded).isEqualTo(1);
  }

  @Test
  void anAnswerThatComesAfterTheTermIsNeitherReportedNorActedOn() {
    script.answers.add(new Event.Loaded(EMPTY));
    script.beforeAnswer = driver::drop;
    driver.start();

    lane.remove().run();

    assertThat(script.performed).hasSize(1);
    assertThat(script.reported).isEmpty();
    assertThat(lane).isEmpty();
  }

  @Test
  void whatWasHeldForTheTermIsGivenBackWithIt() {
    driver.start();
    driver.close();

    lane.remove().run();

    assertThat(script.performed).isEmpty();
    assertThat(script.closed).isEqualTo(2);
  }

  @Test
  void nothingIsStartedAfterTheTerm() {
    driver.start();
    driver.drop();

    lane.remove().run();

    assertThat(script.performed).isEmpty();
  }

  @Test
  void anUnforeseenFailureOfAnEffectEndsTheTerm() {
    script.failure = new IllegalArgumentException("a bug");
    driver.start();

    lane.remove().run();

    assertThat(endings)
        .containsExactly(
            new Ending(
                Ending.EndingKind.FAILED,
                "internal error: java.lang.IllegalArgumentException: a bug"));
    assertThat(lane).isEmpty();
  }

  @Test
  void anUnforeseenFailureOfAReportEndsTheTermOnce() {
    script.answers.add(new Event.Loaded(EMPTY));
    script.reportFailure = new IllegalArgumentException("a bug");
    driver.start();

    lane.remove().run();
    driver.stop();

    assertThat(endings).extracting(Ending::kind).containsExactly(Ending.EndingKind.FAILED);
  }

  @Test
  void anErrorOfAnEffectGoesOnToTheLaneAndNothingMoreIsStarted() {
    Error fatal = new NoClassDefFoundError("dev/recorder/Gone");
    script.failure = fatal;
    driver.start();

    assertThatThrownBy(lane.remove()::run).isSameAs(fatal);
    driver.stop();

    assertThat(lane).isEmpty();
    assertThat(endings).isEmpty();
  }

  @Test
  void anAnswerThatDoesNotFitEndsTheTermInsteadOfTheThread() {
    script.answers.add(new Event.Settled());
    driver.start();

    lane.remove().run();

    assertThat(endings).extracting(Ending::kind).containsExactly(Ending.EndingKind.FAILED);
    assertThat(lane).isEmpty();
  }

  @Test
  void whatComesWhileAnEffectIsCarriedOutComesAfterItsBeginning() {
    script.answers.add(new Event.Loaded(EMPTY));
    script.beforeAnswer = () -> assertThat(script.begun).hasSize(1);
    driver.start();

    lane.remove().run();

    assertThat(script.performed).hasSize(1);
  }

  /** Answers as it was told to, and remembers. */
  private static final class Script implements RowArrivals, TermObserver, Ledger {
    private int waitsEnded;
    private int closed;
    private final Deque<LedgerEvent> answers = new ArrayDeque<>();
    private final List<Effect> begun = new ArrayList<>();
    private final List<Effect> performed = new ArrayList<>();
    private final List<Event> reported = new ArrayList<>();
    private Runnable beforeAnswer = () -> {};
    private Throwable failure;
    private RuntimeException reportFailure;

    @Override
    public void begins(Effect effect) {
      begun.add(effect);
    }

    @Override
    public void endWait() {
      waitsEnded++;
    }

    @Override
    public void reads() {
      throw new AssertionError("no writer gets so far here");
    }

    @Override
    public void await(long rows, long now, Runnable told) {
      throw new AssertionError("no writer gets so far here");
    }

    @Override
    public void answered(Effect effect, Event event) {
      reported.add(event);
      if (reportFailure != null) {
        throw reportFailure;
      }
    }

    /** As where to wait, and as ledger. */
    @Override
    public void close() {
      closed++;
    }

    @Override
    public LedgerEvent load() {
      return answer(new Effect.Load());
    }

    @Override
    public LedgerEvent read(Effect.Read read) {
      return answer(read);
    }

    @Override
    public LedgerEvent plan(SlotContent content) {
      return answer(new Effect.Plan(content));
    }

    @Override
    public LedgerEvent settle(Effect.Settle settle) {
      return answer(settle);
    }

    @Override
    public LedgerEvent adopt(Effect.Adopt adopt) {
      return answer(adopt);
    }

    private LedgerEvent answer(Effect effect) {
      performed.add(effect);
      beforeAnswer.run();
      if (failure instanceof Error error) {
        throw error;
      } else if (failure instanceof RuntimeException bug) {
        throw bug;
      }
      return answers.remove();
    }
  }
}
