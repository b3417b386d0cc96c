package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Browser;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.RecordedSeries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What load balancers and Prometheus are told while hosts die, freeze and lose the database. */
@Timeout(900)
public class HealthChecksIT {
  private static final String ORDERS = "/recorders/" + Cluster.RECORDER;

  private static final String NO_DATABASE = "\"trouble\":\"host-a cannot reach the database, for ";

  @RegisterExtension private final Story story = new Story();
  private HttpSite a;
  private HttpSite b;
  private @Nullable Browser browser;

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = HttpSite.in(story.cluster(), "host-a", true);
    b = HttpSite.in(story.cluster(), "host-b", false);
    story.begin(a.host(), b.host());
  }

  @Test
  void aFileThatCannotBeUsedIsToldOfAndTheRecorderGoesWithATakeover() throws Exception {
    RecordedSeries failed = aFileThatCannotBeUsedIsToldOfUntilItIsPutRight();
    RecordedSeries died = theRecorderIsWhereTheActiveHostIsAndGoesWithATakeover();
    story.endAfter(2);
    failed.check();
    died.check();
  }

  private RecordedSeries theRecorderIsWhereTheActiveHostIsAndGoesWithATakeover() throws Exception {
    assertThat(a.status(ORDERS)).isEqualTo(200);
    assertThat(b.status(ORDERS)).isEqualTo(503);
    assertThat(a.status("/recorders/others")).isEqualTo(404);
    assertThat(a.status("/readyz")).isEqualTo(200);
    assertThat(b.status("/readyz")).isEqualTo(200);
    assertThat(b.metric("recorder_takeovers_total{reason=\"died\",recorder=\"orders\"}")).isZero();
    RecordedSeries series = new RecordedSeries("host_died").calm(calm());

    lookAtThePageOf(b);

    a.host().kill();

    await().until(() -> b.status(ORDERS) == 200);
    awaitTheTakeoverOnThePage();
    await().until(() -> b.metric("recorder_slots_total{recorder=\"orders\"}") > 0);
    assertThat(b.metric("recorder_takeovers_total{reason=\"died\",recorder=\"orders\"}")).isOne();
    assertThat(b.metric("recorder_takeover_gap_seconds_count{reason=\"died\"}")).isOne();
    assertThat(b.metric("recorder_epoch{recorder=\"orders\"}")).isEqualTo(2);
    assertThat(b.metric("recorder_role{recorder=\"orders\",role=\"active\"}")).isOne();
    assertThat(b.metric("recorder_rows_total{recorder=\"orders\"}")).isPositive();
    assertThat(b.metric("recorder_put_seconds_count{recorder=\"orders\"}")).isPositive();
    assertThat(b.metric("recorder_settle_seconds_count{recorder=\"orders\"}")).isPositive();
    await().until(() -> b.get("/metrics").body().contains("\nrecorder_hosts_alive 1.0\n"));
    assertThat(b.metric("recorder_held{recorder=\"orders\"}")).isOne();
    assertThat(b.metric("recorder_hosts_able{recorder=\"orders\"}")).isOne();
    return series.fires(pages(b), "RecorderTakeover", "RecorderFewAbleHosts");
  }

  /** In a browser, where there is one. */
  private void lookAtThePageOf(HttpSite site) throws Exception {
    await().until(() -> site.get("/page.json").body().contains("\"holder\":\"host-a\""));
    if (Browser.missing().isEmpty()) {
      browser = Browser.start();
      browser.screen(1440, 900, false);
      browser.open("http://127.0.0.1:" + site.port() + "/");
      browser.await("#recorder-rows td", "host-a");
    }
  }

  private void awaitTheTakeoverOnThePage() throws Exception {
    long known = System.nanoTime();
    if (browser == null) {
      await().until(() -> b.get("/page.json").body().contains("\"holder\":\"host-b\""));
    } else {
      browser.await("#recorder-rows td", "host-b");
      System.out.printf(
          "figure: the page shows who took over %d ms after that host knows it%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - known));
      browser.await("#takeover-rows", "died");
      System.out.printf(
          "figure: and the receipt with its gap after %d ms%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - known));
      browser.await("#note-list", "no host is able to take it over from host-b");
      browser.picture(Path.of("target", "page", "takeover.png"));
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @AfterEach
  void closeTheBrowser() throws IOException {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void withoutTheDatabaseNobodyIsActiveOrReadyAndAllAreAlive() throws Exception {
    RecordedSeries series = new RecordedSeries("database_gone").calm(calm());
    a.host().cut();
    b.host().cut();

    await().until(() -> a.status(ORDERS) == 503 && a.status("/readyz") == 503);
    await().until(() -> b.status("/readyz") == 503);
    await().until(() -> a.metric("recorder_heartbeat_age_seconds") > 10);
    awaitAnotherTurnOf(a);
    assertThat(a.status("/healthz")).isEqualTo(200);
    assertThat(b.status("/healthz")).isEqualTo(200);
    assertThat(a.metric("recorder_lease_seconds")).isZero();
    assertThat(a.metric("recorder_registered")).isZero();
    await().until(() -> a.get("/page.json").body().contains(NO_DATABASE));
    await().until(() -> a.metric("recorder_sample_ok") == 0);
    assertThat(a.metric("recorder_sample_age_seconds")).isPositive();
    assertThat(a.metric("recorder_hosts_alive")).isEqualTo(2);
    await().until(() -> b.metric("recorder_sample_ok") == 0);
    series.fires(
        pages(a, b), "RecorderNobodyRecords", "RecorderDatabaseNotLookedAt", "RecorderLocksLost");

    a.host().heal();
    b.host().heal();

    await().until(() -> a.status("/readyz") == 200 && b.status("/readyz") == 200);
    await().until(() -> (a.status(ORDERS) == 200) != (b.status(ORDERS) == 200));
    assertThat(a.metric("recorder_sessions_lost_total")).isPositive();
    await().until(() -> a.metric("recorder_sample_ok") == 1);
    await().until(() -> b.metric("recorder_sample_ok") == 1);
    series
        .isOver(pages(a, b), "RecorderNobodyRecords", "RecorderDatabaseNotLookedAt")
        .fires(pages(), "RecorderNobodyExports", "RecorderNobodyRecords");
    await().until(() -> a.get("/page.json").body().contains("\"trouble\":null"));
    story.end();
    series.check();
  }

  private RecordedSeries aFileThatCannotBeUsedIsToldOfUntilItIsPutRight() throws Exception {
    assertThat(a.metric("recorder_reload_ok")).isOne();
    RecordedSeries series = new RecordedSeries("reload_failed").calm(calm());

    a.host().edit("[s3]", "[s4]").hangUp();

    await().until(() -> a.metric("recorder_reload_ok") == 0);
    assertThat(a.metric("recorder_reloads_total{result=\"failed\"}")).isOne();
    // Each host has a way to the database of its own: their files do differ.
    series.fires(pages(a, b), "RecorderReloadFailed", "RecorderFilesDiffer");
    a.host().edit("[s4]", "[s3]").hangUp();
    await().until(() -> a.metric("recorder_reload_ok") == 1);
    return series.isOver(pages(a, b), "RecorderReloadFailed");
  }

  /** Until a turn of its control loop has ended that had not when this was called. */
  private void awaitAnotherTurnOf(HttpSite site) {
    long begun = System.nanoTime();
    await()
        .until(
            () -> {
              double since = (System.nanoTime() - begun) / 1e9;
              return site.metric("recorder_control_turn_age_seconds") < since;
            });
  }

  /** Both hosts have looked, and each found that both could record. */
  private Map<String, String> calm() throws Exception {
    for (HttpSite site : List.of(a, b)) {
      await()
          .until(
              () ->
                  site.get("/metrics")
                      .body()
                      .contains("\nrecorder_hosts_able{recorder=\"orders\"} 2.0\n"));
    }
    return pages(a, b);
  }

  private Map<String, String> pages(HttpSite... alive) throws Exception {
    Map<String, String> pages = new HashMap<>();
    for (HttpSite site : alive) {
      pages.put(site.host().name(), site.get("/metrics").body());
    }
    return pages;
  }
}
