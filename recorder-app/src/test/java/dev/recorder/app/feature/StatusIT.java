package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two hosts of which one falls silent or ends: what {@code status} says of it. In a build {@link
 * CommandMatrixIT}.
 */
@Tag("nightly")
@Timeout(900)
class StatusIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  @RegisterExtension private final Story story = new Story();
  private Host a;
  private Host b;

  private void begin() throws Exception {
    a = story.cluster().host("host-a", true, Particulars.PATIENT);
    b = story.cluster().host("host-b", false, Particulars.PATIENT);
    story.begin(a, b);
    story.observer().awaitReady(b, START_WITHIN);
    story.awaitNextSlot();
  }

  @Test
  void whoIsSilentOrGoneIsNamedAlsoWhenNobodyIsLeft() throws Exception {
    begin();
    aFrozenStandbyIsSilentAndAStoppedOneIsGone();
    withAllHostsDeadTheDatabaseStillSaysSo();
    story.end();
  }

  private void aFrozenStandbyIsSilentAndAStoppedOneIsGone() throws Exception {
    b.freeze();
    // Nobody evicts a standby; the server ends its session when it has been idle for 3 s.
    awaitActual("host-b", "gone", "silent");
    b.thaw();
    awaitActual("host-b", "standby");

    b.terminate();
    awaitActual("host-b", "gone");
    awaitNote("few_able", null, "no host is able to take it over from host-a");
    assertThat(run("explain", "orders", "--host", "host-b").output())
        .startsWith(
            "host-b does not record orders: it is gone: stopped, frozen or cut off; host-a does\n")
        .contains("its session: not there", "-> start it: recorder run");
    story.awaitNextSlot();
  }

  private void withAllHostsDeadTheDatabaseStillSaysSo() throws Exception {
    a.kill();
    awaitNote("nobody_records", null, "no host is alive");
    Product.Outcome explained = run("explain", "orders");
    assertThat(explained.exitCode()).isZero();
    assertThat(explained.output())
        .startsWith(
            "host-a does not record orders: it is gone: stopped, frozen or cut off; no host does\n");
    assertThat(run("status", "--check").exitCode()).isEqualTo(2);
    a.start();
    b.start();
    awaitCalm();
  }

  // ---- what is asked

  private Product.Outcome run(String... words) {
    return story.cluster().run(words);
  }

  private JsonNode status() throws Exception {
    return JSON.readTree(run("status", "-o", "json").output());
  }

  private void awaitNote(String kind, String host, String part) {
    await()
        .until(
            () -> {
              for (JsonNode note : status().get("notes")) {
                if (note.get("kind").textValue().equals(kind)
                    && (host == null || host.equals(note.get("host").textValue()))
                    && note.get("sentence").textValue().contains(part)) {
                  return true;
                }
              }
              return false;
            });
  }

  /** Until nothing should be looked at, but that each host has a way to the database of its own. */
  private void awaitCalm() {
    await()
        .until(
            () -> {
              JsonNode status = status();
              boolean ownWays = false;
              for (JsonNode note : status.get("notes")) {
                boolean ofTheFiles = note.get("sentence").textValue().contains("[postgredb]");
                if (!note.get("severity").textValue().equals("notice") && !ofTheFiles) {
                  return false;
                }
                ownWays |= ofTheFiles;
              }
              return ownWays && status.get("standings").size() == 2;
            });
    assertThat(run("status", "--check").exitCode()).isEqualTo(1);
  }

  private void awaitActual(String host, String... any) {
    await()
        .until(
            () -> {
              for (JsonNode standing : status().get("standings")) {
                if (standing.get("host").textValue().equals(host)) {
                  return List.of(any).contains(standing.get("actual").textValue());
                }
              }
              return false;
            });
  }
}
