package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.Run;
import dev.recorder.app.docs.Documents;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.Ports;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The commands of an operator against two hosts in one state after the other: each answers in
 * sentences, with an exit code that is documented. A line has the command, its exit code, and what
 * it says. One that begins with {@code GET} asks a host for pages, and has the status of each.
 */
@Timeout(900)
class CommandMatrixIT {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final String LONG = " --wait 120 ";
  private static final List<String> NAGIOS = List.of("0", "1", "2", "3");

  private static final List<String> FINE =
      List.of(
          "status ; 0 ; standby",
          "status --check ; 0 ; RECORDER OK - ",
          "status --check -o json ; 0 ; \"standings\"",
          "explain orders ; 0 ; host-a records orders",
          "explain orders -o json ; 0 ; \"verdict\"",
          "explain orders --host host-b ; 0 ; it is a standby, and host-a does",
          "explain jobs --host host-b ; 0 ; processes requests of jobs, as every host does",
          "takeovers ; 0 ; start",
          "takeovers orders -o json ; 0 ; \"reason\":\"start\"",
          "switchover orders --to host-b --dry-run ; 0 ; goes from host-a to host-b",
          "switchover orders --to host-b --dry-run -o json ; 0 ; \"state\":\"possible\"",
          "switchover orders --to host-a -o json ; 0 ; \"state\":\"done\"",
          "switchover orders --to host-a ; 0 ; is active on host-a already",
          "switchover orders --to host-b --rehearse" + LONG + "; 0 ; read: fine",
          "switchover orders --to host-a --rehearse ; 73 ; already: nothing was rehearsed",
          "switchover orders --to host-a --rehearse -o json ; 73 ; \"state\":\"refused\"",
          "switchover jobs --to host-b ; 2 ; all hosts work on it at once",
          "GET host-a /healthz /readyz /recorders/orders /recorders/jobs ; 200",
          "GET host-b /healthz /readyz /recorders/jobs ; 200",
          "GET host-b /recorders/orders ; 503 ; not active",
          "GET host-b /recorders/x ; 404",
          "GET host-b /metrics ; 200 ; recorder_hosts_able{recorder=\"orders\"} 2.0",
          "resume orders ; 0 ; recorder orders is not paused",
          "reload --dry-run" + LONG + "; 0 ; nothing was changed: host-a continues as before",
          "reload" + LONG + "; 0 ; unchanged",
          "drain host-b" + LONG + "; 0 ; host-b has no log left",
          "GET host-b /readyz ; 503 ; not ready",
          "undrain host-b" + LONG + "; 0 ; host-b accepts recorders again",
          "drain host-x ; 2 ; no host 'host-x' has ever run here",
          "verify ; 0 ; ok",
          "verify --by-host ; 2 ; no recorder of the file has verify_every");

  private static final List<String> PAUSED =
      List.of(
          "pause orders --for 2h --reason r ; 0 ; then nothing new is read or written",
          "pause jobs --for 2h --reason r ; 0 ; then nothing new is read or written",
          "pause orders --for 1h --reason r ; 75 ; a pause is made longer, never shorter",
          "pause orders --for 2h --reason r -o json ; 0 ; \"before\":{",
          "status ; 0 ; paused",
          "status --check ; 1 ; paused by ",
          "explain orders ; 0 ; host-a holds orders and does not record it: it is paused by ",
          "explain orders -o json ; 0 ; \"verdict\"",
          "explain orders --host host-b ; 0 ; host-a holds it, and it is paused",
          "explain jobs --host host-b ; 0 ; processes no requests of jobs: it is paused by ",
          "switchover orders --to host-b --dry-run ; 0 ; it stays paused by ",
          "switchover orders --to host-b --dry-run -o json ; 0 ; \"paused\":{",
          "takeovers ; 0 ; start",
          "GET host-a /recorders/orders /recorders/jobs ; 200 ; active, and paused",
          "GET host-a /healthz /readyz ; 200",
          "GET host-b /healthz /readyz ; 200",
          "GET host-b /recorders/orders ; 503 ; not active",
          "GET host-a /metrics ; 200 ; recorder_paused{recorder=\"orders\"} 1.0",
          "reload" + LONG + "; 0 ; host-a holds it, and it is paused by ",
          "drain host-b" + LONG + "; 0 ; host-b has no log left",
          "undrain host-b" + LONG + "; 0 ; host-b accepts recorders again",
          "verify ; 0 ; ok",
          "resume orders ; 0 ; waiting work begins within two seconds on host-a",
          "resume jobs ; 0 ; waiting work begins within two seconds on ");

  private static final String AS_IT_WAS = "and one that was frozen or cut off continues unchanged";

  /** The database cannot tell one that hangs from one that is dead: no sentence may. */
  private static final List<String> STANDBY_HANGS =
      List.of(
          "status ; 0 ; gone",
          "status --check ; 1 ; no host is able to take it over from host-a",
          "explain orders --host host-b ; 0 ; it is gone: stopped, frozen or cut off; host-a does",
          "switchover orders --to host-b ; 73 ; host host-b is not alive",
          "switchover orders --to host-b --dry-run ; 73 ; host host-b is not alive",
          "switchover orders --to host-b --rehearse ; 73 ; it can rehearse nothing",
          "switchover orders --to host-b -o json ; 73 ; \"state\":\"refused\"",
          "takeovers ; 0 ; start",
          "drain host-b -o json ; 75 ; a process is not drained when it starts",
          "GET host-a /healthz /readyz /recorders/orders /recorders/jobs ; 200",
          "GET host-a /metrics ; 200 ; recorder_hosts_alive 1.0",
          "drain host-b ; 75 ; a process is not drained when it starts, " + AS_IT_WAS,
          "undrain host-b ; 75 ; a process is not drained when it starts, " + AS_IT_WAS,
          "pause orders --for 2h --reason r ; 0 ; then nothing new is read or written",
          "resume orders ; 0 ; waiting work begins within two seconds on host-a");

  private static final List<String> ON_A_HOST_THAT_HANGS =
      List.of(
          "reload ; 75 ; a process reads the file when it starts, " + AS_IT_WAS,
          "reload --dry-run ; 75 ; nothing was asked of it");

  private static final List<String> ONE_DEAD =
      List.of(
          "status ; 0 ; gone",
          "status --check ; 1 ; no host is able to take it over from host-a",
          "explain orders --host host-b ; 0 ; it is gone: stopped, frozen or cut off; host-a does",
          "explain jobs --host host-b ; 0 ; processes no requests of jobs: it is gone",
          "switchover orders --to host-b ; 73 ; host host-b is not alive",
          "switchover orders --to host-b --dry-run ; 73 ; host host-b is not alive",
          "switchover orders --to host-b --rehearse ; 73 ; it can rehearse nothing",
          "takeovers ; 0 ; start",
          "explain orders --host host-b -o json ; 0 ; \"verdict\"",
          "GET host-a /healthz /readyz /recorders/orders /recorders/jobs ; 200",
          "GET host-a /metrics ; 200 ; recorder_hosts_able{recorder=\"orders\"} 1.0",
          "drain host-b ; 75 ; host host-b is not alive",
          "undrain host-b ; 75 ; host host-b is not alive",
          "drain host-a -o json" + LONG + "; 75 ; \"kept\":[\"orders\"]",
          "undrain host-a -o json" + LONG + "; 0 ; \"drained\":false",
          "reload" + LONG + "; 0 ; unchanged",
          "pause orders --for 2h --reason r ; 0 ; then nothing new is read or written",
          "resume orders ; 0 ; waiting work begins within two seconds on host-a",
          "verify ; 0 ; ok");

  private static final List<String> REFUSED =
      List.of(
          "status ; 0 ; refused",
          "status --check ; 1 ; refused: ",
          "explain orders --host host-b ; 0 ; does not record orders: it is refused there: ",
          "explain jobs --host host-b ; 0 ; processes no requests of jobs: it is refused there: ",
          "switchover orders --to host-b ; 73 ; host host-b is not able to take recorder orders",
          "switchover orders --to host-b --rehearse" + LONG + "; 73 ; able: the log of recorder",
          "takeovers ; 0 ; start",
          "explain orders --host host-b -o json ; 0 ; refused there",
          "switchover orders --to host-b --dry-run -o json ; 73 ; \"state\":\"refused\"",
          "GET host-a /healthz /readyz /recorders/orders /recorders/jobs ; 200",
          "GET host-b /healthz ; 200",
          "GET host-b /readyz /recorders/orders /recorders/jobs ; 503",
          "GET host-b /metrics ; 200 ; recorder_role{recorder=\"orders\",role=\"unable\"} 1.0",
          "drain host-b" + LONG + "; 0 ; host-b has no log left",
          "undrain host-b" + LONG + "; 0 ; host-b accepts recorders again",
          "pause orders --for 2h --reason r ; 0 ; then nothing new is read or written",
          "resume orders ; 0 ; waiting work begins within two seconds on host-a",
          "pause jobs --for 2h --reason r ; 0 ; then nothing new is read or written",
          "resume jobs ; 0 ; waiting work begins within two seconds on ",
          "reload -o json" + LONG + "; 0 ; \"change\":\"unchanged\"",
          "verify ; 0 ; ok");

  /** It has the log, S3 does not answer, and the other host could not take it. */
  private static final List<String> STUCK =
      List.of(
          "status ; 0 ; stuck",
          "status --check ; 2 ; it has been stuck for ",
          "explain orders ; 0 ; host-a should record orders, but makes no progress",
          "explain orders -o json ; 0 ; makes no progress",
          "takeovers ; 0 ; start",
          "GET host-a /healthz /readyz /recorders/orders /recorders/jobs ; 200",
          "GET host-b /healthz ; 200",
          "GET host-b /readyz /recorders/orders /recorders/jobs ; 503 ; not ",
          "GET host-a /metrics ; 200 ; recorder_stuck{recorder=\"orders\"} 1.0",
          "switchover orders --to host-a ; 0 ; is active on host-a already",
          "switchover orders --to host-b ; 73 ; host host-b is not able to take recorder orders",
          "switchover orders --to host-b --dry-run ; 73 ; host host-b is not able to take",
          "drain host-a" + LONG + "; 75 ; kept, as no other host is able to take it",
          "undrain host-a" + LONG + "; 0 ; host-a accepts recorders again",
          "reload" + LONG + "; 0 ; host-a has it, and is stuck",
          "verify ; 0 ; ok",
          "pause orders --for 2h --reason r ; 0 ; it is held up at the moment");

  private static final List<String> STUCK_AND_PAUSED =
      List.of(
          "explain orders ; 0 ; host-a holds orders and does not record it: it is paused by ",
          "status --check ; 1 ; held up for ",
          "GET host-a /recorders/orders ; 200 ; active, and paused",
          "GET host-a /healthz /readyz ; 200",
          "resume orders -o json ; 0 ; \"changed\":true",
          "pause orders --for 2h --reason r -o json ; 0 ; \"changed\":true",
          "resume orders ; 0 ; orders is no longer paused, but it is held up",
          "resume orders ; 0 ; recorder orders is not paused");

  private static final List<String> ACTIVE_HANGS =
      List.of(
          "status ; 0 ; gone",
          "status --check ; 2 ; no host has recorded it for ",
          "explain orders ; 0 ; it is gone: stopped, frozen or cut off; no host does",
          "explain orders -o json ; 0 ; \"verdict\"",
          "takeovers ; 0 ; start",
          "GET host-b /healthz ; 200",
          "GET host-b /readyz /recorders/orders /recorders/jobs ; 503",
          "GET host-b /metrics ; 200 ; recorder_held{recorder=\"orders\"} 0.0",
          "switchover orders --to host-a ; 73 ; orders is still with host-a, which is not alive",
          "switchover orders --to host-a --rehearse ; 73 ; it can rehearse nothing",
          "switchover orders --to host-b ; 73 ; host host-b is not able to take recorder orders",
          "pause orders --for 2h --reason r ; 0 ; no living host is able to record",
          "resume orders ; 0 ; no longer paused, but no living host is able to continue it",
          "drain host-a ; 75 ; a process is not drained when it starts, " + AS_IT_WAS,
          "undrain host-a ; 75 ; a process is not drained when it starts, " + AS_IT_WAS);

  private static final List<String> ON_THE_OTHER_HOST =
      List.of("reload" + LONG + "; 1 ; refused on host-b: the log of recorder orders");

  private static final List<String> ALL_DEAD =
      List.of(
          "status ; 0 ; gone",
          "status --check ; 2 ; no host is alive",
          "status --check -o json ; 2 ; nobody_records",
          "explain orders ; 0 ; it is gone: stopped, frozen or cut off; no host does",
          "explain jobs ; 0 ; it is gone: stopped, frozen or cut off; no host does",
          "explain orders -o json ; 0 ; \"verdict\"",
          "takeovers ; 0 ; start",
          "switchover orders --to host-b ; 73 ; host host-b is not alive",
          "switchover orders --to host-b --dry-run ; 73 ; host host-b is not alive",
          "switchover orders --to host-b --rehearse ; 73 ; it can rehearse nothing",
          "pause orders --for 2h --reason r ; 0 ; no host that has it is alive; it stays paused",
          "resume orders ; 0 ; no host that has it is alive: it continues when one starts",
          "reload ; 75 ; host host-a is not alive",
          "reload --dry-run ; 75 ; host host-a is not alive",
          "reload -o json ; 75 ; host host-a is not alive",
          "verify -o json ; 0 ; \"recorder\":\"orders\"",
          "drain host-a ; 75 ; host host-a is not alive",
          "undrain host-a ; 75 ; host host-a is not alive",
          "verify ; 0 ; ok",
          "verify orders --by-host ; 75 ; is not verified on a schedule by any host");

  private static final List<String> WITHOUT_DATABASE =
      List.of(
          "status ; 69 ; refused",
          "status -o json ; 69 ; refused",
          "status --check ; 2 ; RECORDER CRITICAL - ",
          "status --check -o json ; 2 ; \"kind\":\"database\"",
          "explain orders ; 69 ; refused",
          "explain orders -o json ; 69 ; refused",
          "takeovers ; 69 ; refused",
          "takeovers -o json ; 69 ; refused",
          "switchover orders --to host-b ; 69 ; refused",
          "switchover orders --to host-b -o json ; 69 ; refused",
          "switchover orders --to host-b --dry-run ; 69 ; refused",
          "switchover orders --to host-b --rehearse ; 69 ; refused",
          "pause orders --for 2h --reason r ; 69 ; refused",
          "resume orders ; 69 ; refused",
          "reload ; 69 ; nothing was asked of host host-a",
          "reload --dry-run ; 69 ; nothing was asked of host host-a",
          "drain host-b ; 69 ; refused",
          "undrain host-b ; 69 ; refused",
          "verify ; 69 ; refused",
          "verify orders --by-host ; 69 ; refused");

  private final Map<String, HttpSite> sites = new HashMap<>();
  private final SoftAssertions softly = new SoftAssertions();
  private final Set<String> documented =
      Documents.tableBehind("## Exit codes", Documents.text("docs/commands.md")).stream()
          .map(row -> row.get(0).replace("`", ""))
          .collect(Collectors.toSet());

  @Test
  void everyCommandAnswersInASentenceWhateverStateTheHostsAreIn() throws Exception {
    Recording recording =
        new Recording(
            List.of(Cluster.RECORDER), "100ms", "[recorder:jobs]\nlockid = 9\nkind = requests\n");
    try (S3Server store = S3Server.start();
        Cluster cluster = Cluster.on(PostgresServer.shared(), store, Wiring.S3_BY_TAP, recording);
        Observer observer = Observer.ofStory(cluster.database())) {
      S3Server.knowInThisProcess();
      Particulars soonStuck = Particulars.PATIENT.withTiming("stuck_after = 2s");
      Host a = host(cluster, "host-a", true, soonStuck);
      Host b = host(cluster, "host-b", false, soonStuck);
      Path file = cluster.file("host-a.ini");
      a.start();
      observer.await("first term", SOON, state -> "host-a".equals(state.holder()));
      b.start();
      observer.awaitReady(b, SOON);
      awaitStatus(
          file,
          "orders +host-b +secondary +standby +2",
          "jobs +host-a .* works +2",
          "jobs +host-b .* works +2");

      check("fine", file, FINE);
      check("paused", file, PAUSED);
      b.freeze();
      awaitStatus(file, "orders +host-b .* gone");
      check("the standby hangs", file, STANDBY_HANGS);
      check("on a host that hangs", cluster.file("host-b.ini"), ON_A_HOST_THAT_HANGS);
      b.kill();
      check("one dead", file, ONE_DEAD);
      cluster.tap().onRequest(put -> Cluster.isSlotPut(put, a) ? Fault.hold() : Fault.none());
      cluster.database().execute("INSERT INTO handoff.orders (key, payload) VALUES ('k', '{}')");
      b.edit("prefix = ", "prefix = elsewhere/").start();
      awaitStatus(
          file, "it has been stuck for ", "orders +host-b .* refused", "jobs +host-b .* refused");
      check("stuck", file, STUCK);
      awaitStatus(file, "orders +host-a .* paused");
      check("stuck and paused", file, STUCK_AND_PAUSED);
      cluster.tap().noFaults();
      cluster.tap().release();
      cluster.awaitRecorded(1, SOON);
      awaitStatus(file, "orders +host-a .* active");
      check("refused", file, REFUSED);
      a.freeze();
      awaitStatus(file, "orders +host-a .* gone");
      check("the active one hangs", file, ACTIVE_HANGS);
      check("on the other host", cluster.file("host-b.ini"), ON_THE_OTHER_HOST);
      a.kill();
      b.kill();
      check("all dead", file, ALL_DEAD);
      check("without the database", withoutDatabase(cluster, file), WITHOUT_DATABASE);
      if (!softly.errorsCollected().isEmpty()) {
        ClusterStory.printLogs(cluster);
      }
      softly.assertAll();
    }
  }

  private Host host(Cluster cluster, String name, boolean primary, Particulars particulars) {
    HttpSite site = HttpSite.of(cluster.host(name, primary, particulars));
    sites.put(name, site);
    return site.host();
  }

  private static void awaitStatus(Path file, String... patterns) {
    await()
        .untilAsserted(
            () -> {
              String status = Run.command(file, "status").out();
              assertThat(List.of(patterns))
                  .allSatisfy(pattern -> assertThat(status).containsPattern(pattern));
            });
  }

  private void check(String state, Path file, List<String> lines) {
    for (String line : lines) {
      softly.check(() -> check(file, line.split(" *; "), state + ": " + line));
    }
  }

  private void check(Path file, String[] parts, String what) throws IOException {
    if (parts[0].startsWith("GET ")) {
      checkPages(parts, what);
    } else {
      checkCommand(file, parts, what);
    }
  }

  /** What a host knows of others, it knows soon: by its next look at the database. */
  private void checkPages(String[] parts, String what) throws IOException {
    List<String> words = List.of(parts[0].split(" "));
    HttpSite site = sites.get(words.get(1));
    Predicate<HttpSite.Answer> expected =
        answer ->
            answer.status() == Integer.parseInt(parts[1])
                && answer.body().contains(parts.length > 2 ? parts[2] : "");
    for (String path : words.subList(2, words.size())) {
      if (!expected.test(site.get(path))) {
        await().untilAsserted(() -> assertThat(site.get(path)).as(what + path).matches(expected));
      }
    }
  }

  /** Each line of it, or it is no JSON and this fails. */
  private static void assertJson(Run run, String what) {
    assertThat(run.jsonLines().isEmpty()).as(what).isEqualTo(run.out().isEmpty());
    assertThat(run.exitCode() == 0 && run.out().isEmpty()).as(what + " prints nothing").isFalse();
  }

  private void checkCommand(Path file, String[] parts, String what) {
    Run run = Run.command(file, parts[0].split(" +"));
    String said = run.out() + run.err();
    assertThat(run.exitCode())
        .as(what + ", which says: " + said)
        .isEqualTo(Integer.parseInt(parts[1]));
    assertThat(said)
        .as(what)
        .contains(parts[2])
        .doesNotContain("\tat ", "Exception", " null", "defect of the program");
    assertThat(run.err().lines().count()).as(what + ": " + run.err()).isLessThanOrEqualTo(1);
    if (parts[0].contains("-o json")) {
      assertJson(run, what);
    }
    assertThat(parts[0].contains("--check") ? NAGIOS : documented).as(what).contains(parts[1]);
  }

  /** The same file, with a port at which nobody answers. */
  private static Path withoutDatabase(Cluster cluster, Path file) throws Exception {
    String text = Files.readString(file).replaceFirst("(?m)^port = .*$", "port = " + Ports.free());
    Path away = cluster.file("away.ini");
    Files.writeString(away, text);
    return Files.setPosixFilePermissions(away, PosixFilePermissions.fromString("rw-------"));
  }
}
