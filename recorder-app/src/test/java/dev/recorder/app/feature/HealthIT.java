package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Browser;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.RecordedSeries;
import dev.recorder.testing.Patience;
import dev.recorder.testing.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
class HealthIT {
  private static final String ORDERS = "/recorders/" + Cluster.RECORDER;

  private static final String NO_DATABASE = "\"trouble\":\"host-a cannot reach the database, for ";

  @RegisterExtension private final Story story = new Story();
  private Site a;
  private Site b;
  private @Nullable Browser browser;

  /** A host and its HTTP port. */
  private record Site(Host host, int port) {}

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = site("host-a", true);
    b = site("host-b", false);
    story.begin(a.host(), b.host());
  }

  private Site site(String name, boolean primary) {
    Host host = story.cluster().host(name, primary, Particulars.PATIENT);
    int port = Ports.free();
    host.edit("[timing]", "[http]\nlisten = 127.0.0.1:" + port + "\n\n[timing]");
    return new Site(host, port);
  }

  @Test
  void theRecorderIsWhereTheActiveHostIsAndGoesWithATakeover() throws Exception {
    assertThat(status(a, ORDERS)).isEqualTo(200);
    assertThat(status(b, ORDERS)).isEqualTo(503);
    assertThat(status(a, "/recorders/others")).isEqualTo(404);
    assertThat(status(a, "/readyz")).isEqualTo(200);
    assertThat(status(b, "/readyz")).isEqualTo(200);
    assertThat(metric(b, "recorder_takeovers_total{reason=\"died\",recorder=\"orders\"}")).isZero();
    RecordedSeries series = new RecordedSeries("host_died").calm(calm());

    lookAtThePageOf(b);

    a.host().kill();

    await().until(() -> status(b, ORDERS) == 200);
    awaitTheTakeoverOnThePage();
    await().until(() -> metric(b, "recorder_slots_total{recorder=\"orders\"}") > 0);
    assertThat(metric(b, "recorder_takeovers_total{reason=\"died\",recorder=\"orders\"}")).isOne();
    assertThat(metric(b, "recorder_takeover_gap_seconds_count{reason=\"died\"}")).isOne();
    assertThat(metric(b, "recorder_epoch{recorder=\"orders\"}")).isEqualTo(2);
    assertThat(metric(b, "recorder_role{recorder=\"orders\",role=\"active\"}")).isOne();
    assertThat(metric(b, "recorder_rows_total{recorder=\"orders\"}")).isPositive();
    assertThat(metric(b, "recorder_put_seconds_count{recorder=\"orders\"}")).isPositive();
    assertThat(metric(b, "recorder_settle_seconds_count{recorder=\"orders\"}")).isPositive();
    await().until(() -> get(b, "/metrics").body().contains("\nrecorder_hosts_alive 1.0\n"));
    assertThat(metric(b, "recorder_held{recorder=\"orders\"}")).isOne();
    assertThat(metric(b, "recorder_hosts_able{recorder=\"orders\"}")).isOne();
    series.fires(pages(b), "RecorderTakeover", "RecorderFewAbleHosts").check();
    story.end();
  }

  /** In a browser, where there is one. */
  private void lookAtThePageOf(Site site) throws Exception {
    await().until(() -> get(site, "/page.json").body().contains("\"holder\":\"host-a\""));
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
      await().until(() -> get(b, "/page.json").body().contains("\"holder\":\"host-b\""));
    } else {
      browser.await("#recorder-rows td", "host-b");
      System.out.printf(
          "figure: the page shows who took over %d ms after that host knows it%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - known));
      browser.await("#takeover-rows", "died");
      System.out.printf(
          "figure: and the receipt with its gap after %d ms%n",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - known));
      browser.await("#note-list", "nobody is able to take it over from host-b");
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
  void aHostThatWasFrozenSaysAtOnceThatItIsActiveNoMore() throws Exception {
    a.host().freeze();
    await().until(() -> status(b, ORDERS) == 200);

    a.host().thaw();

    assertThat(status(a, ORDERS)).isEqualTo(503);
    await().until(() -> status(a, "/readyz") == 200);
    assertThat(status(a, ORDERS)).isEqualTo(503);
    story.end();
  }

  @Test
  void withoutTheDatabaseNobodyIsActiveOrReadyAndAllAreAlive() throws Exception {
    RecordedSeries series = new RecordedSeries("database_gone").calm(calm());
    a.host().cut();
    b.host().cut();

    await().until(() -> status(a, ORDERS) == 503 && status(a, "/readyz") == 503);
    await().until(() -> status(b, "/readyz") == 503);
    await().until(() -> metric(a, "recorder_heartbeat_age_seconds") > 10);
    awaitAnotherTurnOf(a);
    assertThat(status(a, "/healthz")).isEqualTo(200);
    assertThat(status(b, "/healthz")).isEqualTo(200);
    assertThat(metric(a, "recorder_lease_seconds")).isZero();
    assertThat(metric(a, "recorder_registered")).isZero();
    await().until(() -> get(a, "/page.json").body().contains(NO_DATABASE));
    await().until(() -> metric(a, "recorder_sample_ok") == 0);
    assertThat(metric(a, "recorder_sample_age_seconds")).isPositive();
    assertThat(metric(a, "recorder_hosts_alive")).isEqualTo(2);
    await().until(() -> metric(b, "recorder_sample_ok") == 0);
    series.fires(
        pages(a, b), "RecorderNobodyRecords", "RecorderDatabaseNotLookedAt", "RecorderLocksLost");

    a.host().heal();
    b.host().heal();

    await().until(() -> status(a, "/readyz") == 200 && status(b, "/readyz") == 200);
    await().until(() -> (status(a, ORDERS) == 200) != (status(b, ORDERS) == 200));
    assertThat(metric(a, "recorder_sessions_lost_total")).isPositive();
    await().until(() -> metric(a, "recorder_sample_ok") == 1);
    await().until(() -> metric(b, "recorder_sample_ok") == 1);
    series
        .isOver(pages(a, b), "RecorderNobodyRecords", "RecorderDatabaseNotLookedAt")
        .fires(pages(), "RecorderNobodyExports", "RecorderNobodyRecords")
        .check();
    await().until(() -> get(a, "/page.json").body().contains("\"trouble\":null"));
    story.end();
  }

  @Test
  void aFileThatCannotBeUsedIsToldOfUntilItIsPutRight() throws Exception {
    assertThat(metric(a, "recorder_reload_ok")).isOne();
    RecordedSeries series = new RecordedSeries("reload_failed").calm(calm());

    a.host().edit("[s3]", "[s4]").hangUp();

    await().until(() -> metric(a, "recorder_reload_ok") == 0);
    assertThat(metric(a, "recorder_reloads_total{result=\"failed\"}")).isOne();
    // Each host has a way to the database of its own: their files do differ.
    series.fires(pages(a, b), "RecorderReloadFailed", "RecorderFilesDiffer");
    a.host().edit("[s4]", "[s3]").hangUp();
    await().until(() -> metric(a, "recorder_reload_ok") == 1);
    series.isOver(pages(a, b), "RecorderReloadFailed").check();
    story.end();
  }

  /** Until a turn of its control loop has ended that had not when this was called. */
  private void awaitAnotherTurnOf(Site site) {
    long begun = System.nanoTime();
    await()
        .until(
            () -> {
              double since = (System.nanoTime() - begun) / 1e9;
              return metric(site, "recorder_control_turn_age_seconds") < since;
            });
  }

  /** Both hosts have looked, and each found that both could record. */
  private Map<String, String> calm() throws Exception {
    for (Site site : List.of(a, b)) {
      await()
          .until(
              () ->
                  get(site, "/metrics")
                      .body()
                      .contains("\nrecorder_hosts_able{recorder=\"orders\"} 2.0\n"));
    }
    return pages(a, b);
  }

  private Map<String, String> pages(Site... alive) throws Exception {
    Map<String, String> pages = new HashMap<>();
    for (Site site : alive) {
      pages.put(site.host().name(), get(site, "/metrics").body());
    }
    return pages;
  }

  private int status(Site site, String path) throws Exception {
    return get(site, path).status();
  }

  private double metric(Site site, String name) throws Exception {
    Answer page = get(site, "/metrics");
    return page.body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + page.body()));
  }

  /** By a connection of its own: one kept open ends while a host is frozen. */
  private Answer get(Site site, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + site.port() + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestProperty("Connection", "close");
    connection.setReadTimeout((int) Patience.A_MINUTE.toMillis());
    int status = connection.getResponseCode();
    try (InputStream body =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(status, new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private record Answer(int status, String body) {}
}
