package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.Operator;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HorizonFacts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What might have been read of a database: log orders with lockid 1, and some hosts. */
public final class Seen {
  public static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  public static final Limits LIMITS = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2);

  private final List<Host> hosts = new ArrayList<>();
  private String holder = "a";
  private int waiting = 7;
  private String kind = "log";
  private Instant oldest;
  private Instant lastSign;
  private String switchTo;
  private boolean readOnly;
  private PausedRecorder paused;
  private HorizonFacts horizon;
  private LastVerdict verdict;

  /** A host as it is to be seen; healthy and a standby unless told. */
  static final class Host {
    private final String name;
    private long beatSecondsAgo;
    private boolean hasSession = true;
    private boolean able = true;
    private boolean primary;
    private boolean stuck;
    private boolean anew;
    private boolean without;
    private String hash = "same";
    private final Map<String, String> sections = new HashMap<>();
    private String version = "1";
    private final List<Condition> conditions = new ArrayList<>();

    Host(String name) {
      this.name = name;
    }

    Host silentFor(long seconds) {
      beatSecondsAgo = seconds;
      return this;
    }

    Host gone() {
      hasSession = false;
      return silentFor(3600);
    }

    Host unable() {
      able = false;
      return this;
    }

    Host primary() {
      primary = true;
      return this;
    }

    Host stuck() {
      stuck = true;
      return this;
    }

    /** On a session that has no term. */
    Host anew() {
      anew = true;
      return this;
    }

    /** The recorder is not in its file. */
    Host without() {
      without = true;
      return unable();
    }

    Host file(String sectionHash) {
      hash = sectionHash;
      return this;
    }

    Host section(String name) {
      sections.put(name, "its hash");
      return this;
    }

    Host version(String other) {
      version = other;
      return this;
    }

    Host states(String recorder, About about, String why, Duration lasts) {
      conditions.add(new Condition(recorder, about, why, lasts));
      return recorder.isEmpty() || recorder.equals("orders")
          ? this
          : section("recorder:" + recorder);
    }

    Host states(About about, String why) {
      return states("orders", about, why, Duration.ofSeconds(20));
    }

    private HostFacts facts(String holder) {
      boolean active = name.equals(holder) && !anew;
      MachineStatus status =
          new MachineStatus(
              name,
              hasSession && beatSecondsAgo < 2,
              NOW.minusSeconds(beatSecondsAgo),
              primary ? 1 : 0,
              primary ? 0 : 1,
              active ? List.of(1) : List.of(),
              able ? List.of(1) : List.of(),
              primary ? List.of(1) : List.of(),
              version,
              hash);
      if (!without) {
        sections.put("recorder:orders", hash);
      }
      return new HostFacts(status, hasSession, stuck ? Set.of(1) : Set.of(), sections, conditions);
    }
  }

  static Host host(String name) {
    return new Host(name);
  }

  /** The first of them holds the recorder. */
  static Seen of(Host... all) {
    Seen seen = new Seen();
    seen.hosts.addAll(List.of(all));
    return seen;
  }

  public static Seen calm() {
    return of(host("a").primary(), host("b"));
  }

  /** Orders are requests, which each host is to process. */
  Seen asRequests() {
    kind = "requests";
    holder = null;
    return this;
  }

  Seen heldBy(String name) {
    holder = name;
    return this;
  }

  Seen releasedAgo(long seconds) {
    holder = null;
    return signOfLifeAgo(seconds);
  }

  /** When it was recorded last; else as long ago as its holder's heartbeat. */
  Seen signOfLifeAgo(long seconds) {
    lastSign = NOW.minusSeconds(seconds);
    return this;
  }

  Seen nothingWaits() {
    waiting = 0;
    return this;
  }

  Seen oldestWaits(long seconds) {
    oldest = NOW.minusSeconds(seconds);
    return this;
  }

  Seen goesTo(String name) {
    switchTo = name;
    return this;
  }

  Seen paused(String reason) {
    paused =
        new PausedRecorder(
            NOW.plusSeconds(600),
            reason,
            new Operator("alice", "recorder", "10.0.0.5"),
            NOW.minusSeconds(300));
    return this;
  }

  Seen verified(LastVerdict last) {
    verdict = last;
    return this;
  }

  Seen readOnly() {
    readOnly = true;
    return this;
  }

  Seen heldBack(String what, Instant since) {
    horizon = new HorizonFacts(what, since);
    return this;
  }

  public RecorderFacts orders() {
    return new RecorderFacts(
        new RecorderStatus(
            "orders", 1, kind, holder, 3, 1, 41, NOW.minusSeconds(5), new Backlog(waiting, false)),
        NOW.minusSeconds(7200),
        lastSign(),
        switchTo,
        switchTo == null ? null : "operator",
        oldest,
        paused,
        verdict);
  }

  private Instant lastSign() {
    return lastSign != null
        ? lastSign
        : hosts().stream()
            .filter(each -> each.name().equals(holder))
            .map(each -> each.status().lastBeat())
            .findFirst()
            .orElse(NOW.minusSeconds(7200));
  }

  private List<HostFacts> hosts() {
    return hosts.stream().map(host -> host.facts(holder)).toList();
  }

  public Facts facts() {
    return new Facts(NOW, hosts(), List.of(orders()), Optional.ofNullable(horizon), readOnly);
  }

  public Diagnosis diagnosis() {
    return Diagnosis.of(facts(), LIMITS);
  }

  public List<Note> notes() {
    return Notes.of(facts(), LIMITS);
  }
}
