package dev.recorder.operate.diagnosis;

import static dev.recorder.operate.diagnosis.Seen.host;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Takeover;
import dev.recorder.postgres.holders.LockHolder;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExplanationTest {
  private static final LockHolder STRANGER =
      new LockHolder("lockid 1", 12, "app", "cron", null, null, null, false);

  static Stream<Arguments> verdicts() {
    return Stream.of(
        Arguments.of(Seen.of(host("a"), host("b")), "a", "a records orders"),
        Arguments.of(
            Seen.of(host("a"), host("b")),
            "b",
            "b does not record orders: it is a standby, and a does"),
        Arguments.of(
            Seen.of(host("a"), host("b")).paused("bucket moves"),
            "a",
            "a holds orders and does not record it: it is paused by alice (database user recorder,"
                + " from 10.0.0.5) until 2026-11-23T12:10:00Z: bucket moves"),
        Arguments.of(
            Seen.of(host("a"), host("b")).paused("bucket moves"),
            "b",
            "b does not record orders: it is a standby, and a holds it, and it is paused"),
        Arguments.of(
            Seen.of(host("a").states(About.HELD_UP, "no space left"), host("b")),
            "a",
            "a holds orders, but makes no progress: no space left"),
        Arguments.of(
            Seen.of(host("a").stuck(), host("b")),
            "a",
            "a should record orders, but makes no progress"),
        Arguments.of(
            Seen.of(host("a"), host("b").unable().states(About.UNABLE, "HTTP 403")),
            "b",
            "b does not record orders: it is not able to: HTTP 403; a does"),
        Arguments.of(
            Seen.of(host("a"), host("b").unable().states(About.REFUSED, "other bucket")),
            "b",
            "b does not record orders: it is refused there: other bucket; a does"),
        Arguments.of(
            Seen.of(host("a"), host("b").silentFor(9)),
            "b",
            "b does not record orders: it is silent, frozen or cut off; a does"),
        Arguments.of(
            Seen.of(host("a").gone(), host("b").gone()),
            "a",
            "a does not record orders: it is gone: stopped, frozen or cut off; no host does"),
        Arguments.of(
            Seen.of(host("a"), host("b")).asRequests(),
            "b",
            "b processes requests of orders, as every host does"),
        Arguments.of(
            Seen.of(host("a"), host("b").states(About.REFUSED, "other prefix")).asRequests(),
            "a",
            "a processes requests of orders, as every able host does"),
        Arguments.of(
            Seen.of(host("a"), host("b").states(About.REFUSED, "other prefix")).asRequests(),
            "b",
            "b processes no requests of orders: it is refused there: other prefix; a does"),
        Arguments.of(
            Seen.of(host("a"), host("b").states(About.UNABLE, "HTTP 403"), host("c")).asRequests(),
            "b",
            "b processes no requests of orders: it is not able to: HTTP 403; a, c do"),
        Arguments.of(
            Seen.of(host("a").states(About.UNABLE, "HTTP 403"), host("b").gone()).asRequests(),
            "b",
            "b processes no requests of orders: it is gone: stopped, frozen or cut off; no host"
                + " does"),
        Arguments.of(
            Seen.of(host("a"), host("b").silentFor(9)).asRequests().paused("bucket moves"),
            "b",
            "b processes no requests of orders: it is silent, frozen or cut off; no host does, as it"
                + " is paused"),
        Arguments.of(
            Seen.of(host("a")).asRequests().paused("bucket moves"),
            "a",
            "a processes no requests of orders: it is paused by alice (database user recorder,"
                + " from 10.0.0.5) until 2026-11-23T12:10:00Z: bucket moves"),
        Arguments.of(
            Seen.of(host("a"), host("b").without()).asRequests(),
            "b",
            "b processes no requests of orders: the file that its process has read has no"
                + " [recorder:orders]"),
        Arguments.of(
            Seen.of(host("a"), host("b").without()),
            "b",
            "b does not record orders: the file that its process has read has no"
                + " [recorder:orders]"),
        Arguments.of(
            Seen.of(host("a")),
            "z",
            "z does not record orders: it has never registered in this database"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("verdicts")
  void theVerdictSaysWhy(Seen seen, String host, String verdict) {
    assertThat(explain(seen, host, Optional.empty()).verdict()).isEqualTo(verdict);
  }

  @Test
  void whoHasItIsSaidOfAHostThatHasItNot() {
    Explanation without =
        explain(Seen.of(host("a"), host("b").without()).asRequests(), "b", Optional.empty());

    assertThat(without.evidence()).containsExactly("a is alive: works");
    assertThat(without.change())
        .containsExactly("write the section into its file, and then on that host: recorder reload");
  }

  @Test
  void whatADeadHostStatedIsNoEvidence() {
    Explanation dead =
        explain(
            Seen.of(host("a").gone().states(About.UNABLE, "of yesterday"), host("b")),
            "a",
            Optional.empty());

    assertThat(dead.evidence())
        .contains("its session: not there; its last heartbeat: 60 min ago")
        .noneMatch(line -> line.contains("of yesterday"));
    assertThat(dead.change())
        .containsExactly(
            "start it: recorder run; if its process runs, its log says what keeps it from the"
                + " database, such as a password, and it comes back once that is corrected");
  }

  @Test
  void theEvidenceNamesRowLockAndOthers() {
    Explanation standby = explain(Seen.of(host("a"), host("b")), "b", Optional.empty());

    assertThat(standby.evidence())
        .contains(
            "the recorder's row: holder a, epoch 3",
            "its lock on the server: free",
            "last settled slot: 41, 5 s ago",
            "a is alive: active");
    assertThat(standby.change()).contains("it takes it now: recorder switchover orders --to b");
  }

  @Test
  void theLastReceiptSaysWhoHadItBeforeAndWhyThatIsOver() {
    Seen seen = Seen.of(host("a"), host("b"));
    Takeover silent =
        new Takeover(
            Seen.NOW.minusSeconds(12),
            1,
            "orders",
            "silent",
            "b",
            "a",
            2,
            3,
            3_000,
            3_100L,
            41,
            42,
            null);

    assertThat(explain(seen, "b", Optional.empty()).with(silent, seen.facts()).evidence())
        .last()
        .isEqualTo("its last receipt, 12 s ago: b -> a, silent");
  }

  @Test
  void whatIsPausedGoesOnByItselfOrWhenItIsResumed() {
    Explanation paused =
        explain(Seen.of(host("a"), host("b")).paused("bucket moves"), "a", Optional.empty());

    assertThat(paused.change())
        .containsExactly(
            "it continues by itself when that time is over",
            "it continues now: recorder resume orders");
  }

  @Test
  void aStrangerThatHoldsTheLockIsNamedWithTheRemedy() {
    Explanation explained =
        explain(Seen.of(host("a"), host("b")).releasedAgo(60), "b", Optional.of(STRANGER));

    assertThat(explained.evidence())
        .contains("the recorder's row: holder none, epoch 3")
        .anyMatch(line -> line.contains("application 'cron'"));
    assertThat(explained.change()).first().asString().contains("pg_terminate_backend(12)");
  }

  @Test
  void whatNobodyHasEverRunIsExplainedByWhatItsHostStates() {
    Facts facts =
        Seen.of(
                host("a"),
                host("b").states("others", About.REFUSED, "lockid 1 is taken", Duration.ZERO))
            .facts();

    Explanation others =
        Explanation.of(
            Diagnosis.of(facts, Seen.LIMITS), facts.unregistered().get(0), "b", Optional.empty());

    assertThat(others.verdict())
        .isEqualTo(
            "b does not record others: it is refused there: lockid 1 is taken; no host does");
    assertThat(others.evidence())
        .contains("its file has the recorder, but the database has no row of it");
  }

  @Test
  void ofWhatNobodyHasEverRunItIsNotSaidWhatItIs() {
    Facts facts =
        Seen.of(host("a"), host("b").states("others", About.REFUSED, "taken", Duration.ZERO))
            .facts();

    assertThat(
            Explanation.of(
                    Diagnosis.of(facts, Seen.LIMITS),
                    facts.unregistered().get(0),
                    "a",
                    Optional.empty())
                .verdict())
        .isEqualTo(
            "a does not have others: the file that its process has read has no [recorder:others]");
  }

  @Test
  void whoHasNotGotItSaysWhetherAnybodyDoes() {
    Seen left = Seen.of(host("a").without()).releasedAgo(9_000);

    assertThat(explain(left, "a", Optional.empty()).evidence())
        .contains(
            "critical: orders: no host has recorded it for 2 h: no living host has it in its file"
                + " [runbook.md#note-nobody-records]");
  }

  @Test
  void whatFilesSayOfOtherRecordersIsNoEvidence() {
    Seen seen =
        Seen.of(
            host("a").section("recorder:others").section("redis"),
            host("b").section("capture:others/public.t"));

    assertThat(explain(seen, "a", Optional.empty()).evidence())
        .filteredOn(line -> line.contains("files differ"))
        .containsExactly(
            "notice: files differ: [redis] is not on b [runbook.md#note-files-differ]");
    assertThat(explain(Seen.of(host("a"), host("b").file("x")), "a", Optional.empty()).evidence())
        .contains(
            "warning: files differ in [recorder:orders]: a, other than b"
                + " [runbook.md#note-files-differ]");
  }

  @Test
  void aPrimaryThatStandsByIsSaidToGetItBack() {
    assertThat(explain(Seen.of(host("a"), host("b").primary()), "b", Optional.empty()).change())
        .first()
        .asString()
        .startsWith("it is the primary, and gets the recorder back");
  }

  @Test
  void aDrainedHostIsUndrained() {
    String drained =
        "it is drained, as asked by bob; 'recorder undrain b' ends that, and a restart";

    assertThat(
            explain(
                    Seen.of(host("a"), host("b").unable().states(About.UNABLE, drained)),
                    "b",
                    Optional.empty())
                .change())
        .containsExactly("it becomes a standby again: recorder undrain b, or a restart");
  }

  @Test
  void whatWouldHoldItUpAfterAPauseIsSaid() {
    Seen seen = Seen.of(host("a").states(About.HELD_UP, "HTTP 403"), host("b")).paused("moves");

    assertThat(explain(seen, "a", Optional.empty()).change())
        .last()
        .isEqualTo("after that, this still holds it up: HTTP 403");
  }

  private static Explanation explain(Seen seen, String host, Optional<LockHolder> lock) {
    return Explanation.of(Diagnosis.of(seen.facts(), Seen.LIMITS), seen.orders(), host, lock);
  }
}
