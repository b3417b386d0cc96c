package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import java.time.Duration;
import java.util.List;
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

    Host before = awaitVerdictOfAny(List.of(a, b));
    Host next = before == a ? b : a;
    assertThat(events(next, "log_verified")).as("of %s, too", next.name()).isEmpty();
    before.kill();
    awaitVerdictOfAny(List.of(next));

    JsonNode last = last(events(before, "log_verified"));
    JsonNode first = events(next, "log_verified").get(0);
    assertThat(first.get("from").longValue()).isEqualTo(last.get("to").longValue());
    assertThat(first.get("to").longValue()).isGreaterThan(last.get("to").longValue());
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

  private static Host awaitVerdictOfAny(List<Host> hosts) {
    await("a verdict")
        .atMost(VERIFIED_WITHIN)
        .until(() -> hosts.stream().anyMatch(host -> !events(host, "log_verified").isEmpty()));
    return hosts.stream()
        .filter(host -> !events(host, "log_verified").isEmpty())
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonNode> events(Host host, String name) {
    return host.log().stream()
        .map(ScheduledVerificationIT::tree)
        .filter(line -> line.path("event").asText().equals(name))
        .toList();
  }

  private static JsonNode last(List<JsonNode> nodes) {
    return nodes.get(nodes.size() - 1);
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
