package dev.recorder.app.feature.faults;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A store that is away, or that does not keep conditional writes apart, when the hosts start. */
abstract class StoreAtStart {
  private static final Duration FOUND_WITHIN = Duration.ofMinutes(3);
  private static final int WINNERS = 3;

  @RegisterExtension private final Story story = Story.withBreakableStore();

  @Test
  void oneThatIgnoresTheConditionIsNotRecordedTo() throws Exception {
    assertRefused(request -> true);
  }

  /** Whoever comes late is refused. {@code StoreProbeTest} has such races. */
  @Tag("nightly")
  @Test
  void oneThatLetsRacersWinIsNotRecordedTo() throws Exception {
    Map<String, Integer> racers = new ConcurrentHashMap<>();
    assertRefused(request -> racers.merge(request.path(), 1, Integer::sum) <= WINNERS);
  }

  @Test
  void oneThatIsAwayIsAskedAgainUntilItIsBack() throws Exception {
    story.tap().goAway();
    startTwoHostsThatAreUnable();
    Thread.sleep(5_000);
    assertThat(story.observer().takeovers()).isEmpty();

    story.tap().comeBack();
    long back = System.nanoTime();
    LogState begun =
        story.observer().await("a first slot", FOUND_WITHIN, state -> state.lastSlot() > 0);
    story.figure("first slot, ms after S3 was back:", Story.millis(back, begun.seenNanos()));
    for (Host host : story.cluster().hosts()) {
      story.assertAlarms(host, "not able to take it, checking again every 2 s: HEAD of ");
    }
    story.end();
  }

  private void startTwoHostsThatAreUnable() throws Exception {
    story.cluster().host("host-a", true, Particulars.PATIENT).start();
    story.cluster().host("host-b", false, Particulars.PATIENT).start();
    for (Host host : story.cluster().hosts()) {
      host.awaitLog("not able to take it, checking again", FOUND_WITHIN);
    }
    story.insertRows();
  }

  private void assertRefused(Predicate<HttpTap.Request> unconditional) throws Exception {
    ignoreConditions(unconditional);
    startTwoHostsThatAreUnable();
    long tests = tests();
    // From now on it would pass. Who has seen it lose a race does not ask again.
    story.tap().noFaults();
    Thread.sleep(Duration.ofSeconds(5).toMillis());
    assertThat(tests()).isEqualTo(tests);

    assertThat(story.observer().takeovers()).isEmpty();
    assertThat(story.cluster().bucket().slots()).isEmpty();
    for (Host host : story.cluster().hosts()) {
      story.assertAlarms(
          host,
          "not able to take it, checking again every 2 s: this store does not keep conditional"
              + " writes apart:");
    }
    // Nor do a command and the next process, or the host that did not see it.
    Product.Outcome check = story.cluster().run("check", "--online");
    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.output())
        .containsPattern("FAILED +bucket .*this store does not keep conditional writes apart")
        .containsPattern("DELETE FROM\\s+recorder.lost_races\\s+WHERE\\s+bucket = ");
    for (Host host : story.cluster().hosts()) {
      host.terminate();
      host.awaitExit(FOUND_WITHIN);
      host.start();
      await().until(() -> refusals(host) == 2);
    }
    assertThat(tests()).isEqualTo(tests);

    // An administrator answers for it; no restart is needed.
    story.cluster().database().execute("DELETE FROM recorder.lost_races");
    story.observer().await("a first slot", FOUND_WITHIN, state -> state.lastSlot() > 0);
    story.end();
  }

  private static long refusals(Host host) {
    return host.log().stream()
        .filter(line -> line.contains("not able to take it, checking again"))
        .count();
  }

  private void ignoreConditions(Predicate<HttpTap.Request> unconditional) {
    story
        .tap()
        .onRequest(
            request ->
                isConditional(request) && unconditional.test(request)
                    ? Fault.ignoreCondition()
                    : Fault.none());
  }

  /** How often a host has begun to test the store. */
  private long tests() {
    return story.tap().requests().stream()
        .filter(request -> request.method().equals("HEAD") && request.path().endsWith("-absent"))
        .count();
  }

  private static boolean isConditional(HttpTap.Request request) {
    return request.method().equals("PUT") && request.header("if-none-match").isPresent();
  }
}
