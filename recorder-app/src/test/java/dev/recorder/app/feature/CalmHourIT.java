package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.RecordedSeries;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two hosts record, verify and are restarted one after the other, as operators do it: what
 * Prometheus reads from them every 15 s raises no alert. An hour of it by {@code -Plong}.
 */
@Tag("nightly")
@Timeout(7200)
class CalmHourIT {
  private static final int SCRAPES =
      Integer.getInteger("calm.minutes", 1) * 60 / RecordedSeries.SCRAPE_SECONDS;

  private static final Duration SOON = Duration.ofMinutes(3);

  @RegisterExtension private final Story story = Story.withEqualFiles();
  private final RecordedSeries series = RecordedSeries.ofScrapes("calm_hour");
  private long nextScrape;

  @Test
  void noAlertFiresThoughEachHostIsRestarted() throws Exception {
    HttpSite a = site("host-a", true);
    HttpSite b = site("host-b", false);
    story.begin(a.host(), b.host());

    nextScrape = System.nanoTime();
    int part = Math.max(1, SCRAPES / 3);
    scrape(part, a, b);
    restart(b, a);
    scrape(part, a, b);
    restart(a, b);
    scrape(SCRAPES - 2 * part, a, b);

    assertThat(a.metric("recorder_hosts_files")).as("files of two hosts, which are equal").isOne();
    story.end();
    series.allCalm().check();
  }

  private HttpSite site(String name, boolean primary) {
    HttpSite site = HttpSite.in(story.cluster(), name, primary);
    site.host().edit("linger = 300ms", "linger = 300ms\nverify_every = 10m");
    return site;
  }

  private void scrape(int times, HttpSite... alive) throws Exception {
    for (int i = 0; i < times; i++) {
      scrape(alive);
    }
  }

  /** When it is time to. */
  private void scrape(HttpSite... alive) throws Exception {
    TimeUnit.NANOSECONDS.sleep(nextScrape - System.nanoTime());
    nextScrape += TimeUnit.SECONDS.toNanos(RecordedSeries.SCRAPE_SECONDS);
    Map<String, String> pages = new HashMap<>();
    for (HttpSite site : List.of(alive)) {
      pages.put(site.host().name(), site.get("/metrics").body());
    }
    series.then(pages);
  }

  /** One scrape finds it down. */
  private void restart(HttpSite site, HttpSite other) throws Exception {
    Host host = site.host();
    Product.Outcome drained = story.cluster().run("drain", host.name(), "--wait", "120");
    assertThat(drained.exitCode()).as(drained.output()).isZero();
    host.terminate();
    host.awaitExit(SOON);
    scrape(other);
    host.start();
    story.observer().awaitReady(host, SOON);
  }
}
