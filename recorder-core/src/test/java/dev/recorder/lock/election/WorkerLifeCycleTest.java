package dev.recorder.lock.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.election.WorkerLifeCycle.WorkerTransition;
import dev.recorder.lock.election.WorkerState.AcquiringLock;
import dev.recorder.lock.election.WorkerState.Cleanup;
import dev.recorder.lock.election.WorkerState.Idle;
import dev.recorder.lock.election.WorkerState.PauseWork;
import dev.recorder.lock.election.WorkerState.ReleasingLock;
import dev.recorder.lock.election.WorkerState.RenewLock;
import dev.recorder.lock.election.WorkerState.WaitingToAcquireLock;
import dev.recorder.lock.election.WorkerState.Working;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of all pairs of state and event, and what must hold on every path through it. */
class WorkerLifeCycleTest {
  private static final List<WorkerState> STATES =
      List.of(
          new Idle(),
          new AcquiringLock(false),
          new AcquiringLock(true),
          new WaitingToAcquireLock(),
          new Working(),
          new RenewLock(),
          new PauseWork(false),
          new PauseWork(true),
          new Cleanup(false),
          new Cleanup(true),
          new ReleasingLock(false),
          new ReleasingLock(true));

  /** Lines are states, columns events, in the order of their declarations; "." changes nothing. */
  private static final String TABLE =
      """
      state            | START       | STOP            | YIELD           | ACQUIRED           | NOT_ACQUIRED  | RETRY_DUE         | DOUBTED   | RENEWED | LOST             | WORK_ENDED         | RELEASED
      Idle             | Acq+ACQUIRE | .               | .               | Releasing!+RELEASE | .             | .                 | .         | .       | .                | .                  | .
      Acq              | .           | Acq!            | .               | Working+START      | Waiting+RETRY | .                 | .         | .       | .                | .                  | .
      Acq!             | Acq         | .               | .               | Releasing!+RELEASE | Idle          | .                 | .         | .       | .                | .                  | .
      Waiting          | .           | Idle            | .               | .                  | .             | Acq+ACQUIRE       | .         | .       | .                | .                  | .
      Working          | .           | Cleanup!+STOP   | Cleanup+STOP    | .                  | .             | .                 | RenewLock | .       | Pause+HALT       | Releasing+RELEASE  | .
      RenewLock        | .           | Cleanup!+STOP   | Cleanup+STOP    | .                  | .             | .                 | .         | Working | Pause+HALT       | Releasing+RELEASE  | .
      Pause            | .           | Pause!          | .               | .                  | .             | .                 | .         | .       | .                | Waiting+RETRY      | .
      Pause!           | Pause       | .               | .               | .                  | .             | .                 | .         | .       | .                | Idle               | .
      Cleanup          | .           | Cleanup!        | .               | .                  | .             | .                 | .         | .       | Pause+HALT       | Releasing+RELEASE  | .
      Cleanup!         | Cleanup     | .               | .               | .                  | .             | .                 | .         | .       | Pause!+HALT      | Releasing!+RELEASE | .
      Releasing        | .           | Releasing!      | .               | .                  | .             | .                 | .         | .       | Waiting+RETRY    | .                  | Waiting+RETRY
      Releasing!       | Releasing   | .               | .               | .                  | .             | .                 | .         | .       | Idle             | .                  | Idle
      """;

  private static String shown(WorkerState state) {
    String name = state.getClass().getSimpleName();
    String brief =
        switch (name) {
          case "AcquiringLock" -> "Acq";
          case "WaitingToAcquireLock" -> "Waiting";
          case "PauseWork" -> "Pause";
          case "ReleasingLock" -> "Releasing";
          default -> name;
        };
    return brief + (state.toString().contains("stopping=true") ? "!" : "");
  }

  private static String shown(WorkerState before, WorkerTransition step) {
    StringBuilder text = new StringBuilder(step.state().equals(before) ? "." : shown(step.state()));
    for (WorkerEffect effect : step.effects()) {
      text.append('+').append(effect.name().replaceAll("^SCHEDULE_|_(WORK|LOCK)$", ""));
    }
    return text.toString();
  }

  @Test
  void everyStateWithEveryEvent() {
    List<List<String>> expected =
        TABLE.lines().skip(1).map(line -> List.of(line.strip().split(" *\\| *"))).toList();
    List<List<String>> actual = new ArrayList<>();
    for (WorkerState state : STATES) {
      List<String> line = new ArrayList<>(List.of(shown(state)));
      for (WorkerEvent event : WorkerEvent.values()) {
        line.add(shown(state, WorkerLifeCycle.on(state, event)));
      }
      actual.add(line);
    }
    assertThat(actual).isEqualTo(expected);
  }

  /** Events that only come as answers come only when they were asked for. */
  @Test
  void onNoPathIsWorkBegunTwiceOrWithoutALockOrALockKeptWithoutWork() {
    for (int seed = 0; seed < 2_000; seed++) {
      new Walk(new Random(seed)).go(200);
    }
  }

  /** A world in which a worker lives: what it holds and does, and which answers are due. */
  private static final class Walk {
    private final Random random;
    private WorkerState state = new Idle();
    private boolean held;
    private boolean working;
    private final Set<WorkerEffect> open = new HashSet<>();

    Walk(Random random) {
      this.random = random;
    }

    void go(int steps) {
      for (int i = 0; i < steps; i++) {
        happen(any());
      }
      // Told to stop, and with every answer given, it comes to rest.
      happen(WorkerEvent.STOP);
      for (int i = 0; i < 10 && !(state instanceof Idle); i++) {
        if (open.contains(WorkerEffect.ACQUIRE_LOCK)) {
          happen(WorkerEvent.ACQUIRED);
        } else if (working) {
          happen(WorkerEvent.WORK_ENDED);
        } else if (open.contains(WorkerEffect.RELEASE_LOCK)) {
          happen(WorkerEvent.RELEASED);
        }
      }
      assertThat(state).isEqualTo(new Idle());
      assertThat(held).as("lock held at the end").isFalse();
      assertThat(working).as("working at the end").isFalse();
    }

    private WorkerEvent any() {
      List<WorkerEvent> possible =
          new ArrayList<>(List.of(WorkerEvent.START, WorkerEvent.STOP, WorkerEvent.YIELD));
      if (open.contains(WorkerEffect.ACQUIRE_LOCK)) {
        possible.addAll(List.of(WorkerEvent.ACQUIRED, WorkerEvent.NOT_ACQUIRED));
      }
      if (open.contains(WorkerEffect.SCHEDULE_RETRY)) {
        possible.add(WorkerEvent.RETRY_DUE);
      }
      if (open.contains(WorkerEffect.RELEASE_LOCK)) {
        possible.add(WorkerEvent.RELEASED);
      }
      if (held) {
        possible.addAll(List.of(WorkerEvent.DOUBTED, WorkerEvent.RENEWED, WorkerEvent.LOST));
      }
      if (working) {
        possible.add(WorkerEvent.WORK_ENDED);
      }
      return possible.get(random.nextInt(possible.size()));
    }

    private void happen(WorkerEvent event) {
      switch (event) {
        case ACQUIRED -> {
          open.remove(WorkerEffect.ACQUIRE_LOCK);
          held = true;
        }
        case NOT_ACQUIRED -> open.remove(WorkerEffect.ACQUIRE_LOCK);
        case RETRY_DUE -> open.remove(WorkerEffect.SCHEDULE_RETRY);
        case LOST -> held = false;
        case WORK_ENDED -> working = false;
        case RELEASED -> open.remove(WorkerEffect.RELEASE_LOCK);
        default -> {}
      }
      WorkerTransition step = WorkerLifeCycle.on(state, event);
      state = step.state();
      for (WorkerEffect effect : step.effects()) {
        perform(effect);
      }
    }

    private void perform(WorkerEffect effect) {
      switch (effect) {
        case START_WORK -> {
          assertThat(held).as("a lock when work begins").isTrue();
          assertThat(working).as("work under way already").isFalse();
          working = true;
        }
        case STOP_WORK, HALT_WORK -> assertThat(working).as("work to be ended").isTrue();
        case RELEASE_LOCK -> {
          assertThat(held).as("a lock to give back").isTrue();
          assertThat(working).as("work under way without a lock").isFalse();
          held = false;
          open.add(effect);
        }
        case ACQUIRE_LOCK -> {
          assertThat(held || working).as("lock or work when asking for it").isFalse();
          open.add(effect);
        }
        case SCHEDULE_RETRY -> open.add(effect);
      }
    }
  }

  /** The last column in the document has each change of state, and no other. */
  @Test
  void theDocumentShowsTheTable() throws IOException {
    Set<String> shown = new HashSet<>();
    Matcher row =
        Pattern.compile("^\\| `(\\w+)` \\|.*\\| ([^|]+) \\|$", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("../docs/election.md")));
    while (row.find()) {
      Matcher change = Pattern.compile("`(\\w+)` \\(([^)]+)\\)").matcher(row.group(2));
      while (change.find()) {
        for (String event : change.group(2).split(", *")) {
          shown.add(row.group(1) + " " + event + " " + change.group(1));
        }
      }
    }
    Set<String> decided = new HashSet<>();
    for (WorkerState state : STATES) {
      for (WorkerEvent event : WorkerEvent.values()) {
        String from = plain(state);
        String to = plain(WorkerLifeCycle.on(state, event).state());
        if (!from.equals(to)) {
          decided.add(from + " " + event + " " + to);
        }
      }
    }
    assertThat(shown).isEqualTo(decided);
  }

  private static String plain(WorkerState state) {
    return state.getClass().getSimpleName();
  }
}
