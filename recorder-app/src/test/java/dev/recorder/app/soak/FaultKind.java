package dev.recorder.app.soak;

import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.PostgresProxy;
import dev.recorder.testing.network.PostgresProxy.Purpose;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What can befall the hosts and what they need, and how each is healed. */
public enum FaultKind {
  /** SIGKILL; the process is started again. */
  KILL(6, 200, 4_000),
  /** SIGSTOP and SIGCONT. */
  FREEZE(6, 500, 6_000),
  /** SIGTERM; the process is started again. */
  TERM(3, 200, 3_000),
  /** The database cannot be reached, and nobody is told. */
  CUT(4, 500, 6_000),
  /** What the host sends to the database is lost. */
  CUT_REQUESTS(2, 500, 6_000),
  /** What the database answers is lost. */
  CUT_ANSWERS(2, 500, 6_000),
  /** Connections to the database break, and can be made again at once. */
  RESET(3, 100, 300),
  /** Connections to the database break, and new ones are refused. */
  REFUSE(2, 500, 5_000),
  /** The session that holds the locks is cut, and the others are not. */
  CUT_CONTROL(3, 500, 6_000),
  /** The sessions that rows go by are cut, and the one that holds the locks is not. */
  CUT_DATA(3, 500, 6_000),
  /** The sessions that rows go by break. */
  RESET_DATA(2, 100, 300),
  /** The way to the database is slow. */
  SLOW(2, 1_000, 6_000),
  /** PostgreSQL is killed, and started after a while. */
  DB_KILL(2, 100, 3_000),
  /** PostgreSQL is restarted. */
  DB_RESTART(1, 100, 200),
  S3_500(1, 500, 5_000),
  S3_503(2, 500, 6_000),
  S3_409(1, 500, 4_000),
  /** S3 does the request much later than the client waits. */
  S3_HANG(2, 500, 4_000),
  /** S3 does it, and the answer gets lost. */
  S3_LOST_ANSWER(3, 500, 5_000),
  /** S3 gets the request twice and answers the second. */
  S3_REPEAT(2, 500, 5_000),
  S3_SLOW(2, 1_000, 6_000),
  /** PUTs reach S3 late, each by another time, the earlier perhaps after the later. */
  S3_LATE_PUT(3, 1_000, 5_000),
  /** S3 takes no slot of one host; the recorder has to go to another. */
  S3_STUCK(2, 7_000, 14_000),
  /** Another host becomes the primary, by its file and SIGHUP. */
  FLIP(5, 100, 200),
  /** Connections to S3 break, and new ones are refused. */
  S3_GONE(2, 500, 6_000);

  /** Those that recorders of logs alone know: they have holders, primaries and slots. */
  private static final Set<FaultKind> OF_LOGS = EnumSet.of(S3_STUCK, FLIP);

  private static final Set<FaultKind> NOT_PARTIAL = EnumSet.of(S3_GONE, S3_LATE_PUT, S3_STUCK);

  private final int tickets;
  private final int leastMillis;
  private final int mostMillis;

  FaultKind(int tickets, int leastMillis, int mostMillis) {
    this.tickets = tickets;
    this.leastMillis = leastMillis;
    this.mostMillis = mostMillis;
  }

  /** What can befall any recorder. */
  public static Set<FaultKind> ofAnyRecorder() {
    return EnumSet.complementOf(EnumSet.copyOf(OF_LOGS));
  }

  /** Does it; empty if nothing is there now that it could befall. */
  Optional<Struck> strike(Scene scene, Drawn drawn) {
    FaultyHosts hosts = scene.hosts();
    S3Traffic s3 = scene.s3();
    return switch (this) {
      case KILL -> hosts.kill(drawn);
      case FREEZE -> hosts.freeze(drawn);
      case TERM -> hosts.stop(drawn);
      case CUT -> hosts.disturb(drawn, network -> network.all().cut());
      case CUT_REQUESTS -> hosts.disturb(drawn, network -> network.all().pauseToTarget());
      case CUT_ANSWERS -> hosts.disturb(drawn, network -> network.all().pauseToClient());
      case RESET -> hosts.disturb(drawn, network -> network.all().reset());
      case REFUSE -> hosts.disturb(drawn, FaultKind::refuse);
      case CUT_CONTROL -> hosts.disturb(drawn, network -> network.sessions(Purpose.CONTROL).cut());
      case CUT_DATA -> hosts.disturb(drawn, network -> network.sessions(Purpose.DATA).cut());
      case RESET_DATA -> hosts.disturb(drawn, network -> network.sessions(Purpose.DATA).reset());
      case SLOW -> hosts.disturb(drawn, network -> network.all().delay(drawn.upTo(300)));
      case DB_KILL -> scene.databaseDown();
      case DB_RESTART -> scene.databaseRestarted();
      case S3_500 -> s3.start(drawn, Fault.answer(500, "InternalError"));
      case S3_503 -> s3.start(drawn, Fault.answer(503, "SlowDown"));
      case S3_409 -> s3.start(drawn, Fault.answer(409, "ConditionalRequestConflict"));
      case S3_HANG -> s3.start(drawn, Fault.delay(Duration.ofMillis(4_500)));
      case S3_LOST_ANSWER -> s3.start(drawn, Fault.dropAnswer());
      case S3_REPEAT -> s3.start(drawn, Fault.repeat());
      case S3_SLOW -> s3.start(drawn, Fault.delay(drawn.upTo(1_500)));
      case S3_LATE_PUT -> s3.latePuts();
      case S3_STUCK -> s3.noSlotsOf(hosts.meant(drawn));
      case FLIP -> scene.flip(drawn);
      case S3_GONE -> s3.gone();
    };
  }

  private static void refuse(PostgresProxy network) {
    network.all().refuseNew();
    network.all().reset();
  }

  /** How likely it is drawn, compared with the others. */
  int tickets() {
    return tickets;
  }

  int leastMillis() {
    return leastMillis;
  }

  int mostMillis() {
    return mostMillis;
  }

  /** Whether it befalls a share of the requests only. */
  boolean isPartial() {
    return name().startsWith("S3_") && !NOT_PARTIAL.contains(this);
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
