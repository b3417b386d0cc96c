package dev.recorder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Term;
import dev.recorder.leadership.Candidacy;
import dev.recorder.leadership.ClusterView;
import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.Coordinator;
import dev.recorder.leadership.Failback;
import dev.recorder.leadership.RecorderView;
import dev.recorder.leadership.Signal;
import dev.recorder.leadership.Timing;
import dev.recorder.leadership.WriteLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A loop on a session that answers at once, and a time that its signals take. */
class ControlLoopTest {
  private static final int RECORDERS = 998;
  private static final Duration START_TAKES = Duration.ofMillis(5);

  private final Map<Integer, RecorderView> rows = new HashMap<>();
  private final List<Integer> begun = new ArrayList<>();
  private final List<Long> beats = new ArrayList<>();
  private long now;

  /** The lease is 1.5 s, and all that is to be started takes five. */
  @Test
  void theBeatsOfWhoeverBeginsAThousandTermsStayOnTime() throws InterruptedException {
    List<Candidacy> candidacies =
        IntStream.rangeClosed(1, RECORDERS)
            .mapToObj(n -> new Candidacy(n, "r" + n, false, Failback.AUTO))
            .toList();
    Coordinator coordinator =
        new Coordinator("me", Timing.DEFAULT, candidacies, new WriteLease(() -> now), now);
    for (Candidacy candidacy : candidacies) {
      int lockId = candidacy.lockId();
      coordinator.setUnable(lockId, null, now);
      rows.put(lockId, new RecorderView(lockId, "dead", 4, false, null, 0));
    }
    ControlLoop loop = new ControlLoop(coordinator, this::perform, () -> now, this::onSignal);

    while (begun.size() < RECORDERS) {
      loop.turn();
    }

    assertThat(begun).isEqualTo(IntStream.rangeClosed(1, RECORDERS).boxed().toList());
    assertThat(Duration.ofNanos(now)).isGreaterThan(Duration.ofSeconds(4));
    for (int beat = 1; beat < beats.size(); beat++) {
      assertThat(Duration.ofNanos(beats.get(beat) - beats.get(beat - 1)))
          .isLessThan(Duration.ofMillis(600));
    }
    assertThat(Duration.ofNanos(now - beats.get(beats.size() - 1)))
        .isLessThan(Duration.ofMillis(600));
  }

  private void onSignal(Signal signal) {
    if (signal instanceof Signal.TermBegun begins) {
      begun.add(begins.term().lockId());
      now += START_TAKES.toNanos();
    }
  }

  private ControlAnswer perform(ControlAction action) {
    if (action instanceof ControlAction.Connect) {
      return new ControlAnswer.Connected(1);
    } else if (action instanceof ControlAction.Beat) {
      beats.add(now);
      return new ControlAnswer.Renewed();
    } else if (action instanceof ControlAction.TakeSeveral several) {
      return new ControlAnswer.TookSeveral(several.takes().stream().map(this::taken).toList());
    }
    assertThat(action).isInstanceOf(ControlAction.Watch.class);
    return new ControlAnswer.Seen(new ClusterView(Map.of(), Map.copyOf(rows)));
  }

  private ControlAnswer taken(ControlAction.Take take) {
    int lockId = take.lockId();
    rows.put(lockId, new RecorderView(lockId, "me", take.judgedEpoch() + 1, true, null, 0));
    return new ControlAnswer.Taken(
        new Term(lockId, take.judgedEpoch() + 1, "me", new UUID(0, 1)),
        new ControlAnswer.Receipt(
            take.reason(), "dead", take.judgedEpoch(), Duration.ZERO, null, "why"));
  }
}
