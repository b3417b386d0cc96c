package dev.recorder.app.feature.requests;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.ClusterStory;
import dev.recorder.app.feature.Story;
import dev.recorder.app.handlers.PoisonHandlers;
import dev.recorder.app.harness.HandlerJar;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A request that ends the process of whoever works on it. */
abstract class HandlerFaults {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Duration GIVEN_UP_WITHIN = Duration.ofMinutes(10);
  private static final Duration STILL = Duration.ofSeconds(5);
  private static final int MOST_DEATHS = 3;

  /**
   * A host that comes back within ten seconds is the only one to take its requests up again: half
   * of that is for its first look at them.
   */
  private static final Duration BACK_WITHIN = Duration.ofSeconds(5);

  @RegisterExtension private final RequestStory story = new RequestStory("handler = poison");
  private final List<Host> hosts = new ArrayList<>();
  private final List<String> deaths = new ArrayList<>();
  private final List<Long> others = new ArrayList<>();
  private final Map<Host, Long> lastSeenAt = new HashMap<>();
  private long longestAbsenceNanos;

  @Test
  void aRequestThatKillsItsHostIsGivenUpAndAllOthersGoOn() throws Exception {
    Particulars poisonable =
        Particulars.NONE.withHandlers(
            HandlerJar.write(story.cluster().file("poison.jar"), PoisonHandlers.class));
    for (String name : List.of("host-a", "host-b")) {
      hosts.add(story.cluster().host(name, false, poisonable));
    }
    story.begin(hosts.toArray(Host[]::new));
    goOn();
    long poison = story.create("poison", PoisonHandlers.POISON);

    long began = System.nanoTime();
    while (!story.row(poison).status().equals("error")) {
      assertThat(System.nanoTime() - began).isLessThan(GIVEN_UP_WITHIN.toNanos());
      goOn();
    }
    story.figure("given up, ms:", Story.millis(began, System.nanoTime()));
    long settled = System.nanoTime();
    while (System.nanoTime() - settled < STILL.toNanos()) {
      goOn();
    }
    story.figure("deaths:", deaths);

    assertThat(deaths).hasSizeLessThanOrEqualTo(MOST_DEATHS);
    if (longestAbsenceNanos < BACK_WITHIN.toNanos()) {
      assertThat(deaths).as("hosts that died").containsOnly(deaths.get(0));
    }
    assertThat(story.row(poison).error()).startsWith("given up: 3 processes died");
    for (long other : others) {
      story.awaitComplete(other, SOON);
    }
    ClusterStory.stopHosts(story.cluster());
  }

  /** Asks for something else, and starts hosts that have ended, as a service manager does. */
  private void goOn() throws Exception {
    others.add(story.create("other-" + others.size(), "{}"));
    for (Host host : hosts) {
      if (host.isRunning()) {
        lastSeenAt.put(host, System.nanoTime());
      } else {
        assertThat(host.awaitExit(SOON)).isEqualTo(PoisonHandlers.EXIT_CODE);
        deaths.add(host.name());
        restart(host);
      }
    }
    Thread.sleep(100);
  }

  private void restart(Host host) {
    int before = registrations(host);
    host.start();
    await().until(() -> registrations(host) > before);
    long absence = System.nanoTime() - lastSeenAt.get(host);
    longestAbsenceNanos = Math.max(longestAbsenceNanos, absence);
  }

  private static int registrations(Host host) {
    return (int) host.log().stream().filter(line -> line.contains("registered as")).count();
  }
}
