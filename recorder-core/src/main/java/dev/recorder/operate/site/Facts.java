package dev.recorder.operate.site;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that was read of a database at one time, for {@link Notes} and for people.
 *
 * @param at the server's time
 * @param horizon who holds it back; empty if nobody does
 * @param readOnly whether sessions may not write, so that no host can register or record
 */
public record Facts(
    Instant at,
    List<HostFacts> hosts,
    List<RecorderFacts> recorders,
    Optional<HorizonFacts> horizon,
    boolean readOnly) {
  /** How long a machine that is gone is shown. */
  private static final Duration SHOWN = Duration.ofDays(1);

  public Facts {
    hosts = List.copyOf(hosts);
    recorders = List.copyOf(recorders);
  }

  /** Of a database that may be written to. */
  public Facts(
      Instant at,
      List<HostFacts> hosts,
      List<RecorderFacts> recorders,
      Optional<HorizonFacts> horizon) {
    this(at, hosts, recorders, horizon, false);
  }

  /** Why no host is alive. */
  public String whyNoHost() {
    return readOnly ? "no host can register, since the database is read-only" : "no host is alive";
  }

  /** How long ago; not less than nothing. */
  public Duration ago(Instant then) {
    Duration age = Duration.between(then, at);
    return age.isNegative() ? Duration.ZERO : age;
  }

  /** Whether a machine has a session, or had one less than a day ago. */
  public boolean isShown(HostFacts host) {
    return host.hasSession() || ago(host.status().lastBeat()).compareTo(SHOWN) < 0;
  }

  public Optional<HostFacts> host(String name) {
    return hosts.stream().filter(host -> host.name().equals(name)).findFirst();
  }

  /**
   * Whether it is in no file any more, though machines live, and nothing is left to do of it: its
   * last term was ended gracefully, and nothing is known to wait.
   */
  public boolean isRetired(RecorderFacts recorder) {
    Backlog backlog = recorder.status().backlog();
    return isInNoFile(recorder)
        && recorder.status().holder() == null
        && (backlog == null || backlog.rows() == 0);
  }

  /** Whether it is in no living machine's file any more, and something is left to do of it. */
  public boolean isLeftBehind(RecorderFacts recorder) {
    return isInNoFile(recorder) && !isRetired(recorder);
  }

  private boolean isInNoFile(RecorderFacts recorder) {
    return !living().isEmpty() && living().stream().noneMatch(host -> host.has(recorder));
  }

  /** Those that living machines say they cannot run, and of which the database has no row. */
  public List<RecorderFacts> unregistered() {
    return living().stream()
        .flatMap(host -> host.conditions().stream())
        .filter(stated -> stated.about() == About.REFUSED || stated.about() == About.UNABLE)
        .map(Condition::recorder)
        .filter(name -> recorder(name).isEmpty())
        .distinct()
        .sorted()
        .map(RecorderFacts::unregistered)
        .toList();
  }

  public Optional<RecorderFacts> recorder(String name) {
    return recorders.stream().filter(recorder -> recorder.name().equals(name)).findFirst();
  }

  public List<HostFacts> living() {
    return hosts.stream().filter(HostFacts::isAlive).toList();
  }
}
