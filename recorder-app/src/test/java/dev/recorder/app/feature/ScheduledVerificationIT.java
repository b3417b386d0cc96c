package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.RecordedSeries;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two hosts that verify their log on a schedule, and whose output, figures for CloudWatch among it,
 * is for programs to read. A verification is made due in the table: {@code VerifyOnScheduleIT}
 * waits for the time between two.
 */
@Timeout(1800)
class ScheduledVerificationIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Looked for every few seconds; only a hang takes longer. */
  private static final Duration VERIFIED_WITHIN = Duration.ofMinutes(8);

  private static final Duration BETWEEN_ORDERS = Duration.ofSeconds(5);

  private static final String VERIFY_OK = "recorder_verify_ok{recorder=\"orders\"}";
  private static final String OVERDUE = "recorder_verify_overdue_seconds{recorder=\"orders\"}";
  private static final Fault NOT_THERE = Fault.answer(404, "NoSuchKey");
  private static final Fault BUSY = Fault.answer(503, "SlowDown");

  @RegisterExtension private final Story story = new Story();

  @Test
  void theActiveHostVerifiesAndItsSuccessorGoesOnFromItsVerdict() throws Exception {
    HttpSite siteA = site("host-a", true);
    HttpSite siteB = site("host-b", false);
    Host a = siteA.host();
    Host b = siteB.host();
    story.begin(a, b);

    Host before = awaitVerdictOfAny(a, b);
    HttpSite site = before == a ? siteB : siteA;
    Host next = site.host();
    int former = verdicts(next).size();
    before.kill();
    awaitDue("a verdict of the successor", () -> verdicts(next).size() > former);

    assertEachBeginsWhereTheLastEnded(verdicts(a, b));
    // One that was ordered just when the last had ended hides that for a moment.
    verified()
        .until(
            () ->
                JSON.readTree(story.cluster().run("status", "-o", "json").output())
                    .findValue("verdict")
                    .path("machine")
                    .asText()
                    .equals(next.name()));

    RecordedSeries series = failingAndLate(site);
    // Once a minute.
    await()
        .atMost(VERIFIED_WITHIN)
        .until(() -> next.log().stream().anyMatch(ScheduledVerificationIT::isFigures));
    // Whoever reads them has one line for each event or each set of figures, and no other.
    for (Host host : List.of(a, b)) {
      assertThat(host.log())
          .allSatisfy(line -> assertThat(tree(line).has("event")).isNotEqualTo(isFigures(line)));
    }
    story.end();
    series.check();
  }

  /** What is exported when an object is not to be found, and when verifications do not end. */
  private RecordedSeries failingAndLate(HttpSite site) throws Exception {
    RecordedSeries series = new RecordedSeries("verified");
    verified().until(() -> site.get("/metrics").body().contains("\n" + VERIFY_OK + " 1.0\n"));
    series.isOver(site.page(), "RecorderVerifyFailed", "RecorderVerifyLate");

    story.tap().onRequest(request -> isGetOf(request, 2) ? NOT_THERE : Fault.none());
    verifyNow("next_from = 1, ended_at = NULL");
    verified().until(() -> site.get("/metrics").body().contains("\n" + VERIFY_OK + " 0.0\n"));
    series.fires(site.page(), "RecorderVerifyFailed");

    story.tap().noFaults();
    verifyNow("ended_at = NULL");
    verified().until(() -> site.get("/metrics").body().contains("\n" + VERIFY_OK + " 1.0\n"));
    series.isOver(site.page(), "RecorderVerifyFailed");

    story.tap().onRequest(request -> request.method().equals("GET") ? BUSY : Fault.none());
    String longAgo = "clock_timestamp() - interval '2 days'";
    verifyNow("since = %s, ended_at = %s".formatted(longAgo, longAgo));
    verified().until(() -> site.metric(OVERDUE) > Duration.ofDays(1).toSeconds());
    series.firesWhenItGoesOn(site.page(), Duration.ofMinutes(16), "RecorderVerifyLate");
    story.tap().noFaults();
    return series;
  }

  /** A verification of the whole log takes a quarter of the time of a host that is busy. */
  private static ConditionFactory verified() {
    return await().atMost(VERIFIED_WITHIN);
  }

  private void awaitDue(String what, BooleanSupplier isThere) {
    await(what)
        .atMost(VERIFIED_WITHIN)
        .pollInterval(BETWEEN_ORDERS)
        .until(
            () -> {
              boolean there = isThere.getAsBoolean();
              if (!there) {
                verifyNow("ended_at = NULL");
              }
              return there;
            });
  }

  private void verifyNow(String change) throws SQLException {
    story.cluster().database().execute("UPDATE recorder.verdicts SET " + change);
  }

  private static boolean isGetOf(HttpTap.Request request, int slot) {
    return request.method().equals("GET") && request.path().contains("%020d.".formatted(slot));
  }

  private HttpSite site(String name, boolean primary) {
    HttpSite site = HttpSite.in(story.cluster(), name, primary);
    site.host()
        .edit("linger = 300ms", "linger = 300ms\nverify_every = 1m")
        .edit("[timing]", "[log]\nformat = json\n\n[metrics]\nemf = true\n\n[timing]");
    return site;
  }

  /** Of slots: where there are none yet the first verdict comes at once. */
  private Host awaitVerdictOfAny(Host... hosts) throws Exception {
    story.awaitNextSlot();
    awaitDue(
        "a verdict", () -> verdicts(hosts).stream().anyMatch(ScheduledVerificationIT::isOfSlots));
    return Stream.of(hosts)
        .filter(host -> verdicts(host).stream().anyMatch(ScheduledVerificationIT::isOfSlots))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isOfSlots(JsonNode verdict) {
    return verdict.get("to").longValue() > 0;
  }

  /** In the order of time. */
  private static List<JsonNode> verdicts(Host... hosts) {
    return Stream.of(hosts)
        .flatMap(host -> host.log().stream())
        .filter(line -> line.contains("log_verified")) // Asked again and again: most are others.
        .map(ScheduledVerificationIT::tree)
        .filter(line -> line.path("event").asText().equals("log_verified"))
        .sorted(Comparator.comparing(line -> line.get("time").textValue()))
        .toList();
  }

  /** With the last slot that was proved; so no two hosts verify the same. */
  private static void assertEachBeginsWhereTheLastEnded(List<JsonNode> verdicts) {
    assertThat(verdicts).hasSizeGreaterThan(1);
    long last = 1;
    for (JsonNode verdict : verdicts) {
      assertThat(verdict.get("from").longValue()).as("%s", verdicts).isEqualTo(last);
      last = Math.max(1, verdict.get("to").longValue());
    }
  }

  private static boolean isFigures(String line) {
    return tree(line).has("_aws");
  }

  private static JsonNode tree(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + line, e);
    }
  }
}
