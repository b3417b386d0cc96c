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
 * The facts read from a database at one time, for {@link Notes} and for people.
 *
 * @param at the server's time
 * @param horizon the oldest holder of old row versions; empty if there is none
 * @param readOnly whether sessions cannot write, so that no host can register or record
 */
public record Facts(
    Instant at,
    List<HostFacts> hosts,
    List<RecorderFacts> recorders,
    Optional<HorizonFacts> horizon,
    boolean readOnly) {
  /** How long a host that is gone is shown. */
  private static final Duration SHOWN = Duration.ofDays(1);

  public Facts {
    hosts = List.copyOf(hosts);
    recorders = List.copyOf(recorders);
  }

  /** Creates the facts of a writable database. */
  public Facts(
      Instant at,
      List<HostFacts> hosts,
      List<RecorderFacts> recorders,
      Optional<HorizonFacts> horizon) {
    this(at, hosts, recorders, horizon, false);
  }

  /** Returns why no host is alive. */
  public String whyNoHost() {
    return readOnly ? "no host can register, since the database is read-only" : "no host is alive";
  }

  /** Returns how long ago a moment was; not negative. */
  public Duration ago(Instant then) {
    Duration age = Duration.between(then, at);
    return age.isNegative() ? Duration.ZERO : age;
  }

  /** Whether a host has a session, or had one less than a day ago. */
  public boolean isShown(HostFacts host) {
    return host.hasSession() || ago(host.status().lastBeat()).compareTo(SHOWN) < 0;
  }

  public Optional<HostFacts> host(String name) {
    return hosts.stream().filter(host -> host.name().equals(name)).findFirst();
  }

  /**
   * Whether no living host's file has the recorder any more, and no work is left: its last term
   * ended gracefully, and no row is known to wait.
   */
  public boolean isRetired(RecorderFacts recorder) {
    Backlog backlog = recorder.status().backlog();
    return isInNoFile(recorder)
        && recorder.status().holder() == null
        && (backlog == null || backlog.rows() == 0);
  }

  /** Whether no living host's file has the recorder any more, although work is left. */
  public boolean isLeftBehind(RecorderFacts recorder) {
    return isInNoFile(recorder) && !isRetired(recorder);
  }

  private boolean isInNoFile(RecorderFacts recorder) {
    return !living().isEmpty() && living().stream().noneMatch(host -> host.has(recorder));
  }

  /**
   * Returns the recorders that living hosts state they cannot run, and that have no row in the
   * database.
   */
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
