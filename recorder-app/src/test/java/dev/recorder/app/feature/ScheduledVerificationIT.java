package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two hosts that verify their log once a minute, and whose output, figures for CloudWatch among it,
 * is for programs to read.
 */
@Timeout(1800)
class ScheduledVerificationIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Due after a minute, looked for every few seconds; only a hang takes longer. */
  private static final Duration VERIFIED_WITHIN = Duration.ofMinutes(8);

  @RegisterExtension private final Story story = new Story();

  @Test
  void theActiveHostVerifiesAndItsSuccessorGoesOnFromItsVerdict() throws Exception {
    Host a = host("host-a", true);
    Host b = host("host-b", false);
    story.begin(a, b);

    Host before = awaitVerdictOfAny(a, b);
    Host next = before == a ? b : a;
    int former = verdicts(next).size();
    before.kill();
    await("a verdict of the successor")
        .atMost(VERIFIED_WITHIN)
        .until(() -> verdicts(next).size() > former);

    assertEachBeginsWhereTheLastEnded(verdicts(a, b));
    JsonNode status = JSON.readTree(story.cluster().run("status", "-o", "json").output());
    assertThat(status.findValue("verdict").get("machine").textValue()).isEqualTo(next.name());

    // Whoever reads them has one line for each event or each set of figures, and no other.
    for (Host host : List.of(a, b)) {
      assertThat(host.log())
          .allSatisfy(line -> assertThat(tree(line).has("event")).isNotEqualTo(isFigures(line)));
    }
    assertThat(next.log()).anyMatch(ScheduledVerificationIT::isFigures);
    story.end();
  }

  private Host host(String name, boolean primary) {
    return story
        .cluster()
        .host(name, primary, Particulars.PATIENT)
        .edit("linger = 300ms", "linger = 300ms\nverify_every = 1m")
        .edit("[timing]", "[log]\nformat = json\n\n[metrics]\nemf = true\n\n[timing]");
  }

  /** Of slots: where there are none yet the first verdict comes at once. */
  private static Host awaitVerdictOfAny(Host... hosts) {
    await("a verdict")
        .atMost(VERIFIED_WITHIN)
        .until(() -> verdicts(hosts).stream().anyMatch(ScheduledVerificationIT::isOfSlots));
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
