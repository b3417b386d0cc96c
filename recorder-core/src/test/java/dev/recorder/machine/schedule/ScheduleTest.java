package dev.recorder.machine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.logging.LogContext;
import dev.recorder.machine.schedule.Chore.ChoreWork;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Chores on a clock, a timer and lanes that are moved by hand. */
class ScheduleTest {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final List<HandAlarm> alarms = new ArrayList<>();
  private final Deque<Runnable> lane = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private long now = Long.MAX_VALUE - 1; // Ticks may overflow.
  private boolean timerIsClosed;
  private boolean laneRefuses;
  private final Schedule schedule = new Schedule(this::alarm, () -> now);

  private record HandAlarm(long at, FutureTask<?> task) {}

  private Future<?> alarm(long nanos, Runnable woken) {
    if (timerIsClosed) {
      throw new RejectedExecutionException("closed");
    }
    FutureTask<?> task = new FutureTask<>(woken, null);
    alarms.add(new HandAlarm(now + nanos, task));
    return task;
  }

  private void hand(Runnable work) {
    if (laneRefuses) {
      throw new RejectedExecutionException("full");
    }
    lane.add(work);
  }

  private Chore chore(String name, Executor where, ChoreWork work) {
    return new Chore(name, EVERY, where, () -> LogContext.of("host-a"), work);
  }

  private ScheduledChore begin(ChoreWork work) {
    return schedule.begin(chore("a look", this::hand, work));
  }

  /** What is due rings in its order. */
  private void pass(Duration time) {
    long until = now + time.toNanos();
    for (HandAlarm next = next(until); next != null; next = next(until)) {
      alarms.remove(next);
      now = Math.max(next.at - until, now - until) + until;
      next.task.run();
    }
    now = until;
  }

  private @Nullable HandAlarm next(long until) {
    return alarms.stream()
        .filter(alarm -> alarm.at - until <= 0)
        .min(Comparator.comparingLong(alarm -> alarm.at - until))
        .orElse(null);
  }

  private void runLane() {
    for (Runnable work = lane.poll(); work != null; work = lane.poll()) {
      work.run();
    }
  }

  @Test
  void aChoreIsDoneOncePerInterval() {
    begin(() -> done.add("turn"));

    pass(EVERY.minusMillis(1));
    assertThat(lane).isEmpty();
    for (int turn = 1; turn <= 3; turn++) {
      pass(EVERY);
      runLane();
      assertThat(done).hasSize(turn);
    }
  }

  @Test
  void turnsThatAreMissedAreLeftOut() {
    assertThat(Chore.next(10, 5, 10)).isEqualTo(15);
    assertThat(Chore.next(10, 5, 14)).isEqualTo(15);
    assertThat(Chore.next(10, 5, 27)).isEqualTo(30);
    assertThat(Chore.next(10, 5, 9)).as("a clock of another thread").isEqualTo(15);
    assertThat(Chore.next(Long.MAX_VALUE, 5, Long.MIN_VALUE + 1))
        .as("an overflow")
        .isEqualTo(Long.MIN_VALUE + 4);
  }

  @Test
  void aTurnThatWaitsForItsLaneHasNoOtherBehindIt() {
    begin(() -> done.add("turn"));

    pass(EVERY.multipliedBy(10));

    assertThat(lane).hasSize(1);
  }

  @Test
  void workThatHangsHoldsUpNobodyOnAnotherLane() {
    Deque<Runnable> hanging = new ArrayDeque<>(); // Nobody runs what is on it.
    schedule.begin(chore("hangs", hanging::add, () -> done.add("never")));
    begin(() -> done.add("turn"));

    for (int i = 0; i < 3; i++) {
      pass(EVERY);
      runLane();
    }

    assertThat(done).containsExactly("turn", "turn", "turn");
    assertThat(hanging).hasSize(1);
  }

  @Test
  void aLaneThatTakesNoMoreLosesOneTurnAndNotTheOthers() {
    begin(() -> done.add("turn"));

    laneRefuses = true;
    pass(EVERY);
    laneRefuses = false;
    pass(EVERY);
    runLane();

    assertThat(done).hasSize(1);
  }

  @Test
  void whatIsAskedForSoonIsDoneOnceForAllWhoAskAndThenAtTheUsualPace() {
    ScheduledChore chore = begin(() -> done.add("turn"));

    chore.dueIn(Duration.ofSeconds(2));
    pass(Duration.ofSeconds(1));
    chore.dueIn(Duration.ofSeconds(2));
    chore.dueIn(EVERY.multipliedBy(2));
    pass(Duration.ofSeconds(1));
    runLane();
    assertThat(done).hasSize(1);

    pass(EVERY.minusMillis(1));
    assertThat(lane).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(lane).hasSize(1);
  }

  @Test
  void whatIsAskedForDuringATurnIsDoneAfterIt() {
    ScheduledChore chore = begin(() -> done.add("turn"));
    pass(EVERY);

    chore.dueIn(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(1));
    assertThat(lane).hasSize(1);
    runLane();
    pass(Duration.ZERO);

    assertThat(lane).hasSize(1);
  }

  @Test
  void whatTheDatabaseDoesNotGiveIsLeftAloneForAWhileUnlessItIsNotThere() {
    List<DatabaseErrorKind> kinds =
        new ArrayList<>(
            List.of(DatabaseErrorKind.UNREACHABLE, DatabaseErrorKind.BUSY, DatabaseErrorKind.BUSY));
    begin(
        new ChoreWork() {
          @Override
          public void turn() {
            throw new DatabaseException(kinds.remove(0), "not now");
          }

          @Override
          public void failed(DatabaseException why, boolean isNew) {
            done.add(why.kind() + (isNew ? " is new" : ""));
          }
        });

    pass(EVERY);
    runLane();
    pass(EVERY);
    runLane();
    assertThat(done).containsExactly("UNREACHABLE is new", "BUSY is new");

    pass(EVERY);
    assertThat(lane).isEmpty();
    pass(ScheduledChore.AFTER_FAILURE.minus(EVERY));
    assertThat(lane).hasSize(1);

    runLane();
    assertThat(done).last().isEqualTo("BUSY");
  }

  @Test
  void aBugIsLoggedOnceAndTheChoreGoesOn() {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger(ScheduledChore.class);
    logger.addAppender(log);
    try {
      begin(
          () -> {
            done.add("turn");
            throw new IllegalStateException("as a test wants it");
          });
      for (int i = 0; i < 3; i++) {
        pass(EVERY);
        runLane();
      }
    } finally {
      logger.detachAppender(log);
    }

    assertThat(done).hasSize(3);
    assertThat(log.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly("bug: a look failed in an unforeseen way, and is tried again");
  }

  @Test
  void anErrorReachesTheLanesThreadAndTheChoreHasNoFurtherTurn() {
    LinkageError fatal = new LinkageError("as a test wants it");
    begin(
        () -> {
          throw fatal;
        });
    begin(() -> done.add("another"));

    pass(EVERY);
    assertThatThrownBy(lane.remove()::run).isSameAs(fatal);
    runLane();
    pass(EVERY.multipliedBy(10));

    assertThat(lane).as("only the other").hasSize(1);
    assertThat(done).containsExactly("another");
  }

  @Test
  void aChoreThatIsClosedHasNoFurtherTurn() {
    ScheduledChore waits = begin(() -> done.add("never"));
    ScheduledChore handed = begin(() -> done.add("never"));

    waits.close();
    pass(EVERY);
    handed.close();
    handed.dueIn(Duration.ZERO);
    runLane();
    pass(EVERY.multipliedBy(10));

    assertThat(lane).isEmpty();
    assertThat(done).isEmpty();
  }

  /** What its lane does before that is somebody else's. */
  @Test
  void onlyATurnThatIsUnderWayIsToldToEnd() {
    ScheduledChore[] chore = new ScheduledChore[1];
    ChoreWork closesItself =
        new ChoreWork() {
          @Override
          public void turn() {
            chore[0].close();
            done.add("turn");
          }

          @Override
          public void abort() {
            done.add("aborted");
          }
        };
    ScheduledChore handed = begin(closesItself);
    chore[0] = begin(closesItself);
    pass(EVERY);
    handed.close();
    assertThat(done).isEmpty();

    runLane();
    chore[0].close();

    assertThat(done).containsExactly("aborted", "turn");
    assertThat(alarms).isEmpty();
  }

  @Test
  void whileTheMachineEndsATurnUnderWayEndsInPeaceAndNoOtherFollows() {
    ScheduledChore chore =
        begin(
            () -> {
              timerIsClosed = true;
              laneRefuses = true;
              done.add("turn");
              throw new InterruptedException("the lane is closed");
            });
    pass(EVERY);

    runLane();

    assertThat(Thread.interrupted()).isTrue();
    chore.dueIn(Duration.ZERO);
    pass(EVERY.multipliedBy(10));
    assertThat(done).containsExactly("turn");
    assertThat(schedule.hand(this::hand, () -> done.add("never"))).isFalse();
    schedule.handIn(EVERY, this::hand, () -> done.add("never"));
  }

  @Test
  void whatIsDoneOnceIsDoneAfterItsDelay() {
    schedule.handIn(EVERY, this::hand, () -> done.add("once"));
    assertThat(schedule.hand(this::hand, () -> done.add("at once"))).isTrue();

    runLane();
    pass(EVERY);
    runLane();

    assertThat(done).containsExactly("at once", "once");
  }
}
