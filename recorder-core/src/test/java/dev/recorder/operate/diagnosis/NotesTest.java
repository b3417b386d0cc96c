package dev.recorder.operate.diagnosis;

import static dev.recorder.operate.diagnosis.Seen.NOW;
import static dev.recorder.operate.diagnosis.Seen.calm;
import static dev.recorder.operate.diagnosis.Seen.host;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.metrics.Readiness;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From each state to the gravest note that it calls for. */
class NotesTest {

  @Test
  void aHolderThatIsBackWithoutItsTermDoesNotRecord() {
    Seen back = Seen.of(host("a").anew().unable(), host("b").gone()).signOfLifeAgo(110);

    assertThat(back.notes().get(0).inFull())
        .isEqualTo("orders: no host has recorded it for 110 s: no living host is able to take it");
    assertThat(HostRole.all(back.facts()).get(0).actual()).isEqualTo(HostRole.Actual.NOT_ABLE);
  }

  static Stream<Arguments> states() {
    return Stream.of(
        state(
            "S3 hangs",
            Seen.of(
                host("a").primary().stuck().states(About.HELD_UP, "S3 has not answered"),
                host("b")),
            Severity.CRITICAL,
            NoteKind.STUCK,
            "orders on a: it has been stuck for 20 s: S3 has not answered"),
        state(
            "a host is stuck and does not say why",
            Seen.of(host("a").stuck(), host("b")),
            Severity.CRITICAL,
            NoteKind.STUCK,
            "orders on a: it is stuck; the cause is not known"),
        state(
            "its table is locked, which no other host could change",
            Seen.of(host("a").states(About.HELD_UP, "session 12 holds a lock"), host("b")),
            Severity.WARNING,
            NoteKind.HELD_UP,
            "orders on a: held up for 20 s: session 12 holds a lock"),
        state(
            "the file of one names another bucket",
            Seen.of(host("a"), host("b").unable().states(About.REFUSED, "other bucket")),
            Severity.WARNING,
            NoteKind.REFUSED,
            "orders on b: refused: other bucket"),
        state(
            "a drained host has what nobody else can take",
            Seen.of(host("a").states(About.DRAINED, "it is drained, as asked by bob"), host("b")),
            Severity.NOTICE,
            NoteKind.MOVING,
            "orders on a: it is drained, as asked by bob, and keeps it until another host is able"
                + " to take it; 'recorder undrain a' ends that"),
        state(
            "the file of one names another place for documents of requests",
            Seen.of(host("a"), host("b").states(About.REFUSED, "other prefix")).asRequests(),
            Severity.WARNING,
            NoteKind.REFUSED,
            "orders on b: refused: other prefix"),
        state(
            "a host that is to process requests has no right in the store",
            Seen.of(host("a"), host("b").states(About.UNABLE, "HTTP 403")).asRequests(),
            Severity.WARNING,
            NoteKind.NOT_ABLE,
            "orders on b: not able to process it: HTTP 403"),
        state(
            "a right was revoked",
            Seen.of(host("a"), host("b").unable().states(About.UNABLE, "HTTP 403")),
            Severity.WARNING,
            NoteKind.NOT_ABLE,
            "orders on b: not able to take it: HTTP 403"),
        state(
            "nobody stands by",
            Seen.of(host("a"), host("b").gone()),
            Severity.WARNING,
            NoteKind.FEW_ABLE,
            "orders: no host is able to take it over from a"),
        state(
            "both primaries",
            Seen.of(host("a").primary(), host("b").primary()),
            Severity.WARNING,
            NoteKind.TWO_PRIMARIES,
            "orders: a, b are all its primary: leave primary = true on one host only"),
        state(
            "files differ",
            Seen.of(host("a"), host("b").file("other"), host("c")),
            Severity.WARNING,
            NoteKind.FILES_DIFFER,
            "files differ in [recorder:orders]: a and c, other than b"),
        state(
            "files differ in keys that hosts have told of",
            Seen.of(
                host("a").file("1 bucket=a1 linger=b1 prefix=c1"),
                host("b").file("2 linger=b2 prefix=c1"),
                host("c").file("1 bucket=a1 linger=b1 prefix=c1")),
            Severity.WARNING,
            NoteKind.FILES_DIFFER,
            "files differ in [recorder:orders] bucket, linger: a and c, other than b"),
        state(
            "a host lacks what another has, which may be meant so",
            Seen.of(host("a").section("redis"), host("b").section("redis"), host("c")),
            Severity.NOTICE,
            NoteKind.FILES_DIFFER,
            "files differ: [redis] is not on c"),
        state(
            "a file was changed in what takes effect after a restart",
            Seen.of(
                host("a"),
                host("b").states("", About.RESTART, "linger = 1s, it stays 0s", Duration.ZERO)),
            Severity.NOTICE,
            NoteKind.FILES_DIFFER,
            "b: its file has changes that need a restart: linger = 1s, it stays 0s"),
        state(
            "a new recorder was given the lockid of another",
            Seen.of(
                host("a"),
                host("b")
                    .states("others", About.REFUSED, "lockid 1 is that of orders", Duration.ZERO)),
            Severity.CRITICAL,
            NoteKind.REFUSED,
            "others on b: no host has ever run it; refused: lockid 1 is that of orders"),
        state(
            "a recorder was taken out of all files, and nothing waits",
            Seen.of(host("a").without()).releasedAgo(9_000).nothingWaits(),
            Severity.NOTICE,
            NoteKind.NOBODY_RECORDS,
            "orders: it is retired: no living host has it in its file, and no rows wait"),
        state(
            "a recorder was taken out of all files too early",
            Seen.of(host("a").without()).releasedAgo(9_000),
            Severity.CRITICAL,
            NoteKind.NOBODY_RECORDS,
            "orders: no host has recorded it for 2 h: no living host has it in its file"),
        state(
            "versions differ",
            Seen.of(host("a"), host("b").version("2")),
            Severity.NOTICE,
            NoteKind.VERSIONS_DIFFER,
            "hosts run versions 1 and 2: update them to one version"),
        state(
            "a standby is frozen",
            Seen.of(host("a"), host("b").silentFor(9), host("c")),
            Severity.WARNING,
            NoteKind.SILENT,
            "b: silent for 9 s, though its session is there: frozen, or cut off"),
        state(
            "all are dead",
            Seen.of(host("a").gone(), host("b").gone()),
            Severity.CRITICAL,
            NoteKind.NOBODY_RECORDS,
            "orders: no host has recorded it for 60 min: no host is alive"),
        state(
            "all are dead that processed requests",
            Seen.of(host("a").gone(), host("b").gone()).asRequests(),
            Severity.CRITICAL,
            NoteKind.NOBODY_PROCESSES,
            "orders: no host processes it: no host is alive"),
        state(
            "nobody is able to process requests",
            Seen.of(host("a").states(About.UNABLE, "HTTP 403"), host("b").gone()).asRequests(),
            Severity.CRITICAL,
            NoteKind.NOBODY_PROCESSES,
            "orders: no host processes it: no living host is able to"),
        state(
            "nobody is able",
            Seen.of(host("a").unable(), host("b").unable()).releasedAgo(30),
            Severity.CRITICAL,
            NoteKind.NOBODY_RECORDS,
            "orders: no host has recorded it for 30 s: no living host is able to take it"),
        state(
            "a stranger has its lock",
            Seen.of(host("a"), host("b")).releasedAgo(30),
            Severity.CRITICAL,
            NoteKind.NOBODY_RECORDS,
            "orders: no host has recorded it for 30 s: a, b could take it, but none does: 'recorder"
                + " explain' says who holds its lock"),
        state(
            "it is just being taken over",
            Seen.of(host("a"), host("b")).releasedAgo(1),
            Severity.NOTICE,
            NoteKind.MOVING,
            "orders: no host records it at the moment: it is being taken over"),
        state(
            "an operator moves it",
            calm().goesTo("b"),
            Severity.NOTICE,
            NoteKind.MOVING,
            "orders: it is moving to b (operator)"),
        state(
            "rows wait for longer than they should",
            calm().oldestWaits(61),
            Severity.WARNING,
            NoteKind.OLD_ROWS,
            "orders: the oldest row or request has waited for 61 s, more than 60 s"),
        state(
            "rows wait for much longer",
            calm().oldestWaits(601),
            Severity.CRITICAL,
            NoteKind.OLD_ROWS,
            "orders: the oldest row or request has waited for 10 min, more than 60 s"),
        state(
            "it is paused",
            calm().paused("bucket moves"),
            Severity.WARNING,
            NoteKind.PAUSED,
            "orders: paused by alice (database user recorder, from 10.0.0.5) until"
                + " 2026-11-23T12:10:00Z: bucket moves"),
        state(
            "another table has the name of one that is captured",
            Seen.of(host("a").states(About.CAPTURE, "public.a: is another"), host("b")),
            Severity.WARNING,
            NoteKind.CHANGES_LOST,
            "orders on a: changes of captured tables have been lost for 20 s: public.a: is"
                + " another"),
        state(
            "clearing waits for a moment",
            Seen.of(host("a").states(About.CLEARING, "for session 12"), host("b")),
            Severity.NOTICE,
            NoteKind.CLEARING_WAITS,
            "orders on a: clearing has waited for 20 s: for session 12"),
        state(
            "clearing waits for long",
            Seen.of(
                host("a").states("orders", About.CLEARING, "for 12", Duration.ofHours(3)),
                host("b")),
            Severity.WARNING,
            NoteKind.CLEARING_WAITS,
            "orders on a: clearing has waited for 3 h: for 12"),
        state(
            "a long transaction is seen",
            calm().heldBack("session 12", NOW.minusSeconds(700)),
            Severity.WARNING,
            NoteKind.XMIN_HELD,
            "old row versions are held back for 11 min by session 12"),
        state(
            "a long transaction of which the role sees no times",
            Seen.of(
                    host("a").states("", About.XMIN, "session 12", Duration.ofSeconds(1)),
                    host("b"))
                .heldBack("session 12", null),
            Severity.WARNING,
            NoteKind.XMIN_HELD,
            "old row versions are held back for more than 10 min (since when exactly only members"
                + " of pg_read_all_stats may see) by session 12"));
  }

  private static Arguments state(
      String name, Seen seen, Severity severity, NoteKind kind, String sentence) {
    return Arguments.of(name, seen, severity, kind, sentence);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void eachStateHasItsNote(
      String name, Seen seen, Severity severity, NoteKind kind, String sentence) {
    Note first = seen.notes().get(0);

    assertThat(first.inFull()).isEqualTo(sentence);
    assertThat(first.kind()).isEqualTo(kind);
    assertThat(first.severity()).isEqualTo(severity);
  }

  @Test
  void whatEachStartBringsIsNoWorry() {
    Seen.Host starting = host("b").unable().states(About.UNABLE, Readiness.CHECKING);
    Seen.Host alsoStarting = host("a").unable().states(About.UNABLE, Readiness.CHECKING);

    assertThat(Seen.of(host("a"), starting).notes())
        .extracting(Note::severity, Note::kind)
        .containsExactly(
            tuple(Severity.NOTICE, NoteKind.NOT_ABLE), tuple(Severity.NOTICE, NoteKind.FEW_ABLE));
    assertThat(Notes.worst(Seen.of(alsoStarting).heldBy(null).releasedAgo(20).notes()))
        .contains(Severity.NOTICE);
    assertThat(Notes.worst(Seen.of(starting, alsoStarting).asRequests().notes()))
        .contains(Severity.NOTICE);
  }

  @Test
  void whatLastsLongerThanAStartIsOne() {
    Seen.Host slow =
        host("b")
            .unable()
            .states("orders", About.UNABLE, Readiness.CHECKING, Duration.ofSeconds(31));
    Seen.Host starting = host("a").unable().states(About.UNABLE, Readiness.CHECKING);

    assertThat(Notes.worst(Seen.of(host("a"), slow).notes())).contains(Severity.WARNING);
    assertThat(Notes.worst(Seen.of(starting).heldBy(null).releasedAgo(31).notes()))
        .as("no host has recorded it for longer than a start takes")
        .contains(Severity.CRITICAL);
  }

  @Test
  void aHostThatIsGoneIsSaidToBeForADay() {
    assertThat(Seen.of(host("a"), host("b"), host("c").gone()).notes())
        .extracting(Note::severity, Note::inFull)
        .containsExactly(
            tuple(
                Severity.WARNING,
                "c: no heartbeat for 60 min: stopped, dead or cut off; a host without heartbeats"
                    + " is listed for a day"));
    assertThat(Notes.worst(Seen.of(host("a"), host("b"), host("c").gone().silentFor(20)).notes()))
        .as("it is being started again")
        .contains(Severity.NOTICE);
    assertThat(Seen.of(host("a"), host("b"), host("c").gone().silentFor(90_000)).notes()).isEmpty();
  }

  @Test
  void thatNothingMayBeWrittenIsSaidAndNotThatHostsAreToBeStarted() {
    Seen logs = Seen.of(host("a").gone(), host("b").gone()).readOnly();
    Seen requests = Seen.of(host("a").gone()).asRequests().readOnly();

    assertThat(logs.notes())
        .extracting(Note::inFull)
        .contains(
            "orders: no host has recorded it for 60 min: no host can register, since the database is"
                + " read-only")
        .anyMatch(note -> note.contains("default_transaction_read_only of the role"));
    assertThat(logs.notes()).extracting(Note::kind).doesNotContain(NoteKind.GONE);
    assertThat(requests.notes())
        .extracting(Note::inFull)
        .contains(
            "orders: no host processes it: no host can register, since the database is read-only");
    Explanation why =
        Explanation.of(
            Diagnosis.of(logs.facts(), Seen.LIMITS), logs.orders(), "a", Optional.empty());
    assertThat(why.verdict()).contains("it cannot register, since the database is read-only");
    assertThat(why.change()).noneMatch(line -> line.contains("start it"));
  }

  @Test
  void whereAllIsWellThereIsNone() {
    assertThat(calm().notes()).isEmpty();
    assertThat(Notes.worst(calm().notes())).isEmpty();
  }

  @Test
  void aRetiredRecorderOfWhoseLastTermNobodyKnowsTheEndIsNotCalledRetired() {
    Seen seen = Seen.of(host("a").gone(), host("b").without()).nothingWaits();

    assertThat(Notes.worst(seen.notes())).contains(Severity.CRITICAL);
  }

  @Test
  void requestsThatNoLivingHostHasInItsFileAreProcessedByNobody() {
    Seen elsewhere = Seen.of(host("a").gone(), host("b").without()).asRequests();

    assertThat(elsewhere.notes())
        .extracting(Note::severity, Note::inFull)
        .contains(
            tuple(
                Severity.CRITICAL,
                "orders: no host processes it: no living host has it in its file"));
  }

  @Test
  void whyNobodyProcessesRequestsIsSaidOfEachHostThatIsAlive() {
    Seen seen =
        Seen.of(
                host("a").states(About.UNABLE, "HTTP 403"),
                host("b").states(About.REFUSED, "other prefix"))
            .asRequests()
            .paused("bucket moves");

    assertThat(seen.notes())
        .extracting(Note::severity, Note::kind)
        .containsExactly(
            tuple(Severity.CRITICAL, NoteKind.NOBODY_PROCESSES),
            tuple(Severity.WARNING, NoteKind.NOT_ABLE),
            tuple(Severity.WARNING, NoteKind.REFUSED),
            tuple(Severity.WARNING, NoteKind.PAUSED));
  }

  @Test
  void requestsThatEachHostProcessesCallForNone() {
    assertThat(Seen.of(host("a"), host("b").unable()).asRequests().notes()).isEmpty();
  }

  @Test
  void whatAStoppedHostStatedOfRequestsIsOfThePast() {
    Seen seen = Seen.of(host("a"), host("b").gone().states(About.REFUSED, "then")).asRequests();

    assertThat(seen.notes()).extracting(Note::kind).containsExactly(NoteKind.GONE);
  }

  @Test
  void whoWaitsForTheKeyOfAnElectionStandsByAndCallsForNone() {
    Seen.Host waiting = host("b").unable().states(About.READY, "");

    assertThat(Seen.of(host("a").primary(), waiting).notes()).isEmpty();
    assertThat(Seen.of(waiting).heldBy(null).releasedAgo(2).notes())
        .extracting(Note::severity, Note::kind)
        .contains(tuple(Severity.NOTICE, NoteKind.MOVING));
    assertThat(Seen.of(waiting).releasedAgo(30).notes())
        .extracting(Note::inFull)
        .contains(
            "orders: no host has recorded it for 30 s: b could take it with the key of its election,"
                + " which has yet to expire, or Redis does not answer");
  }

  @Test
  void howManyHostsThereShouldBeIsForTheFileToSay() {
    Facts pair = calm().facts();
    Facts single = Seen.of(host("a")).facts();

    assertThat(Notes.of(single, hosts(1))).isEmpty();
    assertThat(Notes.of(single, hosts(2)))
        .extracting(Note::inFull)
        .containsExactly(
            "orders: no host is able to take it over from a; for a single host, set"
                + " hosts = 1 in [machine]");
    assertThat(Notes.of(pair, hosts(3)))
        .extracting(Note::inFull)
        .containsExactly("orders: only a, b have it or are able to take it over, and hosts = 3");
  }

  private static Limits hosts(int hosts) {
    return new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), hosts);
  }

  @Test
  void rowsThatWaitForTheEndOfAPauseAreNotCritical() {
    assertThat(calm().paused("bucket moves").oldestWaits(6_000).notes())
        .extracting(Note::severity, Note::kind)
        .containsExactly(
            tuple(Severity.WARNING, NoteKind.PAUSED), tuple(Severity.WARNING, NoteKind.OLD_ROWS));
  }

  @Test
  void whatIsJustWithinALimitIsNone() {
    assertThat(calm().oldestWaits(60).heldBack("session", NOW.minusSeconds(600)).notes()).isEmpty();
  }

  @Test
  void aTransactionWithoutATimeIsNotHeldForLongBecauseOfThat() {
    assertThat(calm().heldBack("session", null).notes()).isEmpty();
  }

  @Test
  void whatAStoppedHostStatedIsOfThePast() {
    Seen seen =
        Seen.of(
            host("a"),
            host("b"),
            host("c").gone().primary().stuck().file("other").states(About.UNABLE, "long ago"));

    assertThat(seen.notes()).extracting(Note::kind).containsExactly(NoteKind.GONE);
  }

  @Test
  void whatASilentHostStatedIsOfThePastToo() {
    Seen seen = Seen.of(host("a"), host("b"), host("c").silentFor(5).states(About.REFUSED, "then"));

    assertThat(seen.notes()).extracting(Note::kind).containsExactly(NoteKind.SILENT);
  }

  @Test
  void theGravestComesFirst() {
    Seen seen = Seen.of(host("a").stuck(), host("b").version("2").file("other")).oldestWaits(70);

    assertThat(seen.notes())
        .extracting(Note::severity)
        .containsExactly(Severity.CRITICAL, Severity.WARNING, Severity.WARNING, Severity.NOTICE);
  }
}
