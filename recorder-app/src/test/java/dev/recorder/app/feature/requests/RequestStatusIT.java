package dev.recorder.app.feature.requests;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.RecordedSeries;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A host that is to process requests and does not, or cannot do one: what a monitor and an operator
 * are told.
 */
@Timeout(900)
class RequestStatusIT {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  @RegisterExtension private final RequestStory story = new RequestStory("");

  @Test
  void aStoreThatIsClosedAtTheStartAndTheEndOfTheLastHostAreCritical() throws Exception {
    story.tap().onRequest(request -> Fault.answer(403, "AccessDenied"));
    HttpSite site = HttpSite.in(story.cluster(), "host-a", false);
    Host a = site.host();
    RecordedSeries series = new RecordedSeries("requests");
    a.start();
    a.awaitLog("not able to process requests, checking again", START_WITHIN);
    series.fires(site.page(), "RecorderNobodyProcesses");
    awaitCheck(2, "no host processes it: no living host is able to", "on host-a: not able to");
    assertThat(run("status").output()).contains("not able");
    assertThat(run("explain", RequestStory.RECORDER, "--host", "host-a").output())
        .startsWith("host-a processes no requests of accounts: it is not able to: ")
        .contains("HTTP 403", "; no host does\n");

    story.tap().noFaults();
    a.awaitLog("processing requests", START_WITHIN);
    awaitCheck(0, "RECORDER OK");
    series.isOver(site.page(), "RecorderNobodyProcesses", "RecorderRequestsFail");
    haveOneFail(site);
    series.fires(site.page(), "RecorderRequestsFail");
    story.begin(); // Of hosts none is new: what becomes of requests is noted from now on.
    story.awaitComplete(story.create("one", "{}"), START_WITHIN);

    a.kill();
    awaitCheck(2, "no host processes it: no host is alive");
    a.start();
    awaitCheck(0, "RECORDER OK");
    story.end();
    series.check();
  }

  /** One without an entity, which nothing can be made of; it is gone afterwards. */
  private void haveOneFail(HttpSite site) throws Exception {
    TestDatabase database = story.cluster().database();
    database.execute(
        "INSERT INTO handoff.accounts (request_type, entity_id, payload) VALUES ('create', '', '{}')");
    await()
        .until(
            () ->
                site.metric("recorder_requests_total{recorder=\"accounts\",result=\"error\"}")
                    == 1);
    assertThat(run("requests", "list", RequestStory.RECORDER, "--status", "error").output())
        .contains("error");
    database.execute("DELETE FROM handoff.accounts WHERE request_status = 'error'");
  }

  private Product.Outcome run(String... words) {
    return story.cluster().run(words);
  }

  private void awaitCheck(int exitCode, String... parts) {
    await()
        .untilAsserted(
            () -> {
              Product.Outcome check = run("status", "--check");
              assertThat(check.output()).contains(parts);
              assertThat(check.exitCode()).isEqualTo(exitCode);
            });
  }
}
