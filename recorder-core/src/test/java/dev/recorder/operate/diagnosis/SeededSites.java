package dev.recorder.operate.diagnosis;

import static dev.recorder.operate.diagnosis.Seen.NOW;
import static dev.recorder.operate.diagnosis.Seen.host;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.metrics.Readiness;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.Slots;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sites that an operator may look at: each a host {@code a}, a host {@code b} and log orders. */
public final class SeededSites {
  private static final Map<String, Seen> ALL = new LinkedHashMap<>();

  static {
    ALL.put("calm", Seen.calm());
    hosts();
    standbys();
    orders();
    progress();
    requests();
  }

  private SeededSites() {}

  /** By name; the first is the one of which all is well. */
  public static Map<String, Seen> all() {
    return ALL;
  }

  private static void hosts() {
    ALL.put("no-host-yet", Seen.of().heldBy(null).nothingWaits());
    ALL.put("one-host", Seen.of(host("a").primary()));
    ALL.put("active-silent", Seen.of(host("a").primary().silentFor(9), host("b")));
    ALL.put("active-gone", Seen.of(host("a").primary().gone(), host("b")).signOfLifeAgo(1));
    ALL.put("both-gone", Seen.of(host("a").primary().gone(), host("b").gone()));
    ALL.put("active-on-a-new-session", Seen.of(host("a").primary().anew(), host("b")));
    ALL.put("taken-over-now", Seen.of(host("a").gone(), host("b")).releasedAgo(1));
    ALL.put("nobody-for-long", Seen.of(host("a").primary(), host("b")).releasedAgo(600));
    ALL.put("read-only", Seen.of(host("a").gone(), host("b").gone()).readOnly());
    ALL.put("two-primaries", Seen.of(host("a").primary(), host("b").primary()));
    ALL.put("files-differ", Seen.of(host("a").file("one").primary(), host("b").file("other")));
    ALL.put("versions-differ", Seen.of(host("a").version("2").primary(), host("b")));
    ALL.put(
        "restart-needed",
        Seen.of(
            host("a").primary().states("", About.RESTART, "heap has changed", seconds(50)),
            host("b")));
  }

  private static void standbys() {
    ALL.put(
        "standby-unable",
        Seen.of(
            host("a").primary(),
            host("b").unable().states(About.UNABLE, "the store does not answer")));
    ALL.put(
        "standby-being-checked",
        Seen.of(host("a").primary(), host("b").unable().states(About.UNABLE, Readiness.CHECKING)));
    ALL.put(
        "standby-refused",
        Seen.of(
            host("a").primary(),
            host("b").unable().states(About.REFUSED, "lockid 1 belongs to 'audit'")));
    ALL.put("standby-without-it", Seen.of(host("a").primary(), host("b").without()));
    ALL.put(
        "standby-waits-for-a-key",
        Seen.of(host("a").primary(), host("b").unable().states(About.READY, "")));
    ALL.put(
        "nobody-able",
        Seen.of(
                host("a").unable().states(About.UNABLE, "the store does not answer"),
                host("b").unable().states(About.UNABLE, "the store does not answer"))
            .releasedAgo(120));
    ALL.put(
        "starting",
        Seen.of(
                host("a").unable().states(About.UNABLE, Readiness.CHECKING),
                host("b").unable().states(About.UNABLE, Readiness.CHECKING))
            .releasedAgo(3));
    ALL.put(
        "never-run",
        Seen.of(
            host("a").primary().states("audit", About.REFUSED, "its table is missing", seconds(9)),
            host("b").states("audit", About.UNABLE, "its table is missing", seconds(9))));
  }

  private static void orders() {
    ALL.put("switchover-under-way", Seen.calm().goesTo("b"));
    ALL.put("paused", Seen.calm().paused("migration"));
    ALL.put(
        "paused-and-held-up",
        Seen.of(host("a").primary().states(About.HELD_UP, "a row is locked"), host("b"))
            .paused("migration"));
    ALL.put(
        "drained",
        Seen.of(host("a").primary().states(About.DRAINED, "drained by alice"), host("b").unable()));
    ALL.put(
        "retired",
        Seen.of(host("a").without(), host("b").without()).releasedAgo(90).nothingWaits());
    ALL.put("left-behind", Seen.of(host("a").without(), host("b").without()).releasedAgo(90));
  }

  private static void progress() {
    ALL.put(
        "stuck",
        Seen.of(host("a").primary().stuck().states(About.HELD_UP, "S3 answers 503"), host("b"))
            .oldestWaits(20));
    ALL.put(
        "stuck-alone", Seen.of(host("a").primary().stuck(), host("b").unable()).oldestWaits(20));
    ALL.put("late", Seen.calm().oldestWaits(300));
    ALL.put("vacuum-held-back", Seen.calm().heldBack("session 12", NOW.minusSeconds(90_000)));
    ALL.put(
        "not-cleared",
        Seen.of(host("a").primary().states(About.CLEARING, "session 12 reads it"), host("b")));
    ALL.put(
        "captures-lose",
        Seen.of(
            host("a").primary().states(About.CAPTURE, "table public.t has lost its trigger"),
            host("b")));
    ALL.put("verified", Seen.calm().verified(verdict(true, NOW.minusSeconds(60))));
    ALL.put("verified-with-faults", Seen.calm().verified(verdict(false, NOW.minusSeconds(60))));
    ALL.put(
        "verified-too-long-ago", Seen.calm().verified(verdict(true, NOW.minusSeconds(900_000))));
  }

  private static void requests() {
    ALL.put("requests", Seen.of(host("a"), host("b")).asRequests());
    ALL.put("requests-paused", Seen.of(host("a"), host("b")).asRequests().paused("migration"));
    ALL.put(
        "requests-unable-on-one",
        Seen.of(host("a"), host("b").states(About.UNABLE, "its handler is missing")).asRequests());
    ALL.put(
        "requests-nowhere",
        Seen.of(
                host("a").states(About.UNABLE, "its handler is missing"),
                host("b").states(About.REFUSED, "its lockid belongs to 'audit'"))
            .asRequests());
    ALL.put("requests-of-nobody", Seen.of(host("a").without(), host("b").without()).asRequests());
  }

  private static LastVerdict verdict(boolean ok, Instant endedAt) {
    VerificationOutcome outcome =
        new VerificationOutcome(
            ok,
            new Slots(1, 41),
            true,
            endedAt,
            "a",
            ok ? 0 : 2,
            ok ? List.of() : List.of("slot 7: line 3 differs"));
    return new LastVerdict(Duration.ofDays(1), NOW.minus(Duration.ofDays(30)), outcome, null, null);
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
