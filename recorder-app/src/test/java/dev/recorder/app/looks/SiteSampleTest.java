package dev.recorder.app.looks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.WorkCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one look tells of all hosts. */
class SiteSampleTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:10Z");
  private static final Limits LIMITS = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2);
  private static final RecorderFacts ORDERS =
      new RecorderFacts(
          new RecorderStatus("orders", 1, "log", "a", 8, 1, 42, AT.minusSeconds(3), null),
          AT.minusSeconds(60),
          null,
          null,
          null,
          null,
          null,
          null);

  private final List<HostFacts> hosts = new ArrayList<>();

  @Test
  void aLogIsElsewhereWhereAnotherLivingHostHasItOrCouldTakeIt() {
    host("a", true, false, Set.of());
    assertThat(look().isElsewhere("orders", "b")).isTrue();
    assertThat(look().isElsewhere("orders", "a")).isFalse();

    host("b", true, false, Set.of());
    host("c", false, true, Set.of());
    assertThat(look().isElsewhere("orders", "a")).isFalse();

    host("d", true, true, Set.of());
    assertThat(look().isElsewhere("orders", "a")).isTrue();
    assertThat(look().isElsewhere("unknown", "a")).isFalse();
  }

  @Test
  void whoWaitsForTheKeyOfAnElectionCountsAsAble() {
    host("a", true, true, Set.of());
    host("b", true, false, Set.of(), new Condition("orders", About.READY, "", Duration.ZERO));
    host("c", true, false, Set.of());

    assertThat(look().able(ORDERS)).isEqualTo(2);
    assertThat(look().isElsewhere("orders", "a")).isTrue();
  }

  @Test
  void onlyTheLivingCount() {
    host("a", false, true, Set.of(1));
    host("b", true, true, Set.of());

    assertThat(look().alive()).isOne();
    assertThat(look().able(ORDERS)).isOne();
    assertThat(look().isHeld(ORDERS)).isFalse();
    assertThat(look().isStuck(ORDERS)).isFalse();
    assertThat(look().files()).isOne();
  }

  @Test
  void whatTheActiveHostStatesIsTold() {
    host("b", true, true, Set.of(1), clearing(Duration.ofHours(9)));
    host("a", true, false, Set.of(1), clearing(Duration.ofHours(2)));

    assertThat(look().isStuck(ORDERS)).isTrue();
    assertThat(look().isHeld(ORDERS)).isTrue();
    assertThat(look().able(ORDERS)).isEqualTo(2);
    assertThat(look().clearingWaits(ORDERS)).isEqualTo(Duration.ofHours(2));
    assertThat(look().notes(Note.NoteKind.STUCK)).isOne();
    assertThat(look().settledAge(ORDERS)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void whatIsOnlyWorthKnowingIsNoWarning() {
    host("a", true, true, Set.of(), clearing(Duration.ofSeconds(2)));
    host("b", true, true, Set.of());

    assertThat(look().facts().living()).hasSize(2);
    assertThat(look().site().notes()).extracting(Note::kind).contains(Note.NoteKind.CLEARING_WAITS);
    assertThat(look().notes(Note.NoteKind.CLEARING_WAITS)).isZero();
  }

  @Test
  void whereNobodyCouldLookAtATableNothingIsSaidOfWhatWaits() {
    assertThat(look().oldestWaits(ORDERS)).isNull();
  }

  private static Condition clearing(Duration lasts) {
    return new Condition("orders", Condition.About.CLEARING, "for session 12", lasts);
  }

  private void host(
      String name, boolean alive, boolean able, Set<Integer> stuck, Condition... conditions) {
    MachineStatus status =
        new MachineStatus(
            name,
            alive,
            AT,
            0,
            1,
            List.of(1),
            able ? List.of(1) : List.of(),
            List.of(),
            "1",
            "hash");
    hosts.add(new HostFacts(status, alive, stuck, Map.of(), List.of(conditions)));
  }

  private SiteSample look() {
    Facts facts = new Facts(AT, hosts, List.of(ORDERS), Optional.empty());
    WorkCounts none = new WorkCounts(Map.of(), new WorkCounts.Locks(0, 0, 0, 0));
    return new SiteSample(Diagnosis.of(facts, LIMITS), 2, none, Map.of(), LockSample.NONE);
  }
}
