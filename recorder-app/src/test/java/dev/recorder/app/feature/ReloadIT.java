package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.cli.Run;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An operator changes files and has two real hosts reload; each test leaves files and hosts as it
 * found them.
 */
@Timeout(900)
class ReloadIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final String WAIT = "120";

  private static final String SECOND =
      """

      [recorder:second]
      lockid = 2
      primary = true
      """;

  private static final String ORDERS = "SELECT coalesce(max(id), 0) FROM recorder.operator_orders";

  @RegisterExtension private static final TwoHosts HOSTS = new TwoHosts(Cluster.RECORDER);

  private static Cluster cluster;
  private static Observer observer;
  private static Host a;
  private static Host b;
  private String before;
  private String beforeOnB;
  private long ordersBefore;

  @BeforeAll
  static void meetTheHosts() {
    cluster = HOSTS.cluster();
    observer = HOSTS.observer();
    a = HOSTS.a();
    b = HOSTS.b();
  }

  @BeforeEach
  void remember() throws Exception {
    before = Files.readString(file(a));
    beforeOnB = Files.readString(file(b));
    ordersBefore = cluster.database().number(ORDERS);
  }

  @AfterEach
  void heal() throws Exception {
    a.heal();
    Files.writeString(file(a), before);
    run(a, "reload", "--wait", WAIT).exits(0);
    if (!Files.readString(file(b)).equals(beforeOnB)) {
      Files.writeString(file(b), beforeOnB);
      run(b, "reload", "--wait", WAIT).exits(0);
    }
    observer.awaitHolder(Cluster.RECORDER, "host-a", SOON);
  }

  @Test
  void aDryRunComparesTheFileWithWhatRunsAndChangesNothing() throws Exception {
    a.edit("linger = 300ms", "linger = 400ms").edit("primary = true", "primary = false");
    a.edit("[recorder:orders]", SECOND + "[recorder:orders]");

    JsonNode said = json(run(a, "reload", "--dry-run", "--wait", WAIT, "-o", "json").exits(0));

    assertThat(said.get("applied").booleanValue()).isFalse();
    assertThat(said.get("needs_restart").toString())
        .isEqualTo("[\"[recorder:orders] linger = 400ms, it stays 300ms\"]");
    assertThat(said.get("recorders").toString())
        .isEqualTo(
            "[{\"recorder\":\"second\",\"change\":\"started\"},"
                + "{\"recorder\":\"orders\",\"change\":\"not_preferred\"}]");
    Run again = run(a, "reload", "--dry-run", "--wait", WAIT).exits(0);
    assertThat(again.out())
        .contains("second    started", "orders    not preferred here")
        .contains("needs a restart: [recorder:orders] linger = 400ms, it stays 300ms")
        .endsWith("nothing was changed: host-a continues as before\n");
    assertThat(a.log()).anyMatch(line -> line.contains("reload --dry-run: reading "));
    assertThat(a.log()).noneMatch(line -> line.contains("linger = 400ms"));
  }

  @Test
  void recordersComeAndGoAndTheCommandEndsWhenTheyHave() throws Exception {
    a.edit("[recorder:orders]", SECOND + "[recorder:orders]");

    Run started = run(a, "reload", "--wait", WAIT).exits(0);

    assertThat(started.out())
        .containsPattern("second +started +host-a is active")
        .containsPattern("orders +unchanged +host-a is active");
    assertThat(holder("second")).isEqualTo("host-a");
    Run rehearsed =
        run(a, "switchover", "second", "--to", "host-b", "--rehearse", "--wait", WAIT).exits(73);
    assertThat(rehearsed.out()).startsWith("file: the file that its process has read has no [");
    assertThat(rehearsed.err()).contains("host-b is not able to take recorder second");

    a.edit(SECOND, "");
    Run stopped = run(a, "reload", "--wait", WAIT).exits(0);

    assertThat(stopped.out()).containsPattern("second +stopped +no host is active");
    assertThat(holder("second")).isEqualTo("nobody");
  }

  @Test
  void aRecorderIsMovedByItsLineInTwoFilesAndTheReceiptsSayWhoAsked() throws Exception {
    assertThat(preferred(a, false))
        .containsPattern(
            "orders +not preferred here +stays on host-a until another host is its primary");

    assertThat(preferred(b, true)).containsPattern("orders +preferred here +host-b is active");
    assertThat(holder("orders")).isEqualTo("host-b");

    assertThat(preferred(a, true))
        .containsPattern("orders +preferred here +stays on host-b, which is its primary too");
    assertThat(preferred(b, false)).containsPattern("orders +handed over +host-a is active");
    assertThat(holder("orders")).isEqualTo("host-a");
    assertThat(Files.readString(file(a))).isEqualTo(before);
    assertThat(
            cluster
                .database()
                .number(
                    """
                    SELECT count(*) FROM recorder.operator_orders
                    WHERE id > %d AND state = 'done' AND machine = 'host-b'
                      AND asked_by = 'recorder'
                      AND client_addr = '127.0.0.1' AND os_user <> ''
                      AND taken_at >= asked_at AND ended_at >= taken_at
                      AND answer ->> 'file' LIKE '%%/host-b.ini'
                    """
                        .formatted(ordersBefore)))
        .isEqualTo(2);
    assertThat(b.log())
        .anyMatch(
            line ->
                line.matches(".*as asked by .+ \\(database user recorder, from 127.0.0.1\\).*"));
  }

  @Test
  void theLogBecomesJsonWithTheStepsOfOneRecorderAndABadFileChangesNothingOfIt() throws Exception {
    a.edit("[recorder:orders]", "[log]\nformat = json\n\n[recorder:orders]\nlog_level = debug");

    assertThat(run(a, "reload", "--wait", WAIT).exits(0).out()).containsPattern("orders +changed ");

    JsonNode changed = awaitEvent("configuration_changed");
    assertThat(changed.get("machine").textValue()).isEqualTo("host-a");
    assertThat(changed.get("configuration").textValue())
        .isEqualTo(
            "[log] format = json, it was text\n"
                + "[recorder:orders] log_level = debug, it was nothing");
    cluster.database().execute("INSERT INTO handoff.orders (key, payload) VALUES ('log', '{}')");
    await().until(() -> events("step_done").anyMatch(ReloadIT::isSettledSlotOfOrders));

    a.edit("format = json", "format = xml");
    a.hangUp();

    assertThat(awaitEvent("configuration_refused").get("finding").textValue())
        .contains("format = xml is not one of text, json");
    List<String> since =
        a.log().stream().dropWhile(line -> !line.contains("configuration_changed")).toList();
    assertThat(since).hasSizeGreaterThan(3);
    assertThat(since).allSatisfy(line -> assertThat(tree(line).has("event")).isTrue());
  }

  private static boolean isSettledSlotOfOrders(JsonNode step) {
    return step.get("answer").textValue().equals("Settled")
        && step.get("recorder").textValue().equals("orders")
        && step.get("epoch").longValue() > 0
        && step.get("slot").longValue() > 0;
  }

  private static JsonNode awaitEvent(String name) {
    await().until(() -> events(name).findAny().isPresent());
    return events(name).findFirst().orElseThrow();
  }

  private static Stream<JsonNode> events(String name) {
    return a.log().stream()
        .filter(line -> line.startsWith("{"))
        .map(ReloadIT::tree)
        .filter(line -> line.get("event").textValue().equals(name));
  }

  private static JsonNode tree(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException notOne) {
      throw new AssertionError(line, notOne);
    }
  }

  @Test
  void whoNamesAnotherFileChangesNothing() throws Exception {
    Path other = Files.copy(file(a), cluster.file("other.ini"));

    Run refused = Run.command(other, "reload", "--wait", WAIT).exits(78);

    assertThat(refused.err())
        .contains("this process does not read it, it reads ")
        .endsWith("recorder: host-a uses nothing of the file, and continues as before\n");
    Files.delete(other);
  }

  @Test
  void withoutTheDatabaseNobodyIsAsked() {
    a.database().all().refuseNew();

    assertThat(run(a, "reload").exits(69).err())
        .startsWith("recorder: nothing was asked of host host-a, as orders go through the ")
        .contains("; SIGHUP to its process does not need it")
        .hasLineCount(1);
  }

  @Test
  void whatAFrozenHostWasAskedItNeverDoes() throws Exception {
    List<String> log = b.log();
    Run refused;
    b.freeze();
    try {
      refused = run(b, "reload", "--wait", "1").exits(75);
    } finally {
      b.thaw();
    }
    assertThat(refused.err()).contains(": nothing was ").hasLineCount(1);

    await().until(() -> run(b, "reload", "--dry-run", "--wait", WAIT).exitCode() == 0);
    assertThat(b.log().subList(log.size(), b.log().size()))
        .noneMatch(line -> line.contains(" reload: reading "));
    assertThat(
            cluster
                .database()
                .number("SELECT count(*) FROM recorder.operator_orders WHERE state = 'new'"))
        .isZero();
  }

  @Test
  void aHostThatIsDeadIsNotAsked() throws Exception {
    b.kill();
    try {
      await().until(() -> run(b, "reload", "--wait", "1").err().contains("is not alive"));
      Run refused = run(b, "reload", "--wait", "1").exits(75);
      assertThat(refused.err()).contains("host host-b is not alive, its last heartbeat was at ");
    } finally {
      b.start();
      observer.awaitReady(b, SOON);
    }
  }

  /** What the host says of it. */
  private static String preferred(Host host, boolean primary) {
    host.edit("primary = " + !primary, "primary = " + primary);
    return run(host, "reload", "--wait", WAIT).exits(0).out();
  }

  private static Run run(Host host, String... words) {
    return HOSTS.run(host, words);
  }

  private static Path file(Host host) {
    return HOSTS.file(host);
  }

  private static JsonNode json(Run run) throws Exception {
    return JSON.readTree(run.out());
  }

  private static String holder(String recorder) throws Exception {
    return cluster
        .database()
        .query(
            "SELECT coalesce(holder, 'nobody') FROM recorder.lock_recorders WHERE recorder = '"
                + recorder
                + "'",
            row -> row.getString(1))
        .get(0);
  }
}
