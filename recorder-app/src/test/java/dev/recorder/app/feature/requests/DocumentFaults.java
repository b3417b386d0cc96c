package dev.recorder.app.feature.requests;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.PostgresProxy.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hosts that keep documents die, hang, or do not hear what has become of their work. */
abstract class DocumentFaults {
  private static final Duration SOON = Duration.ofMinutes(3);

  /** For 10 s a request whose worker died is left to the machine that died. */
  private static final Duration TAKEN_UP_WITHIN = Duration.ofMinutes(3);

  private static final Duration IDLE = Duration.ofSeconds(10);

  @RegisterExtension private final RequestStory story = new RequestStory("");
  private Host a;
  private Host b;
  private int documents;
  private String one = "";

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = story.cluster().host("host-a", false);
    b = story.cluster().host("host-b", false);
    story.begin(a, b);
    createOne();
  }

  /** One after the other, on the same hosts, each with a document of its own. */
  @Test
  void aDocumentIsRightWhateverBefallsItsHostTheStoreOrTheAnswerToACommit() throws Exception {
    whileTheStoreHangsForOneEntityTheOthersGoOnAndThenHostsAskTheDatabaseLittle();
    createOne();
    aCommitWhoseAnswerIsLostHasItsEffectOnce();
    createOne();
    frozenItLosesTheEntityAndChangesNothingWhenItComesBack();
    createOne();
    killedInTheMiddleOfAPutItIsReplacedAndThePutThatLandsLateChangesNothing();
    story.end();
  }

  private void createOne() throws Exception {
    documents++;
    one = "one-" + documents;
    story.awaitComplete(story.create(one, "{\"a\": 1, \"b\": 1}"), SOON);
  }

  private void killedInTheMiddleOfAPutItIsReplacedAndThePutThatLandsLateChangesNothing()
      throws Exception {
    long update = holdAPut();
    Host victim = story.workerOf(update, SOON);
    victim.kill();
    story.tap().noFaults();

    RequestStory.Row row = story.awaitComplete(update, TAKEN_UP_WITHIN);
    byte[] before = story.bytes(one);
    story.tap().release();
    await().until(() -> story.tap().holding() == 0);
    Thread.sleep(500);

    assertThat(row.deaths()).isEqualTo(1);
    assertThat(story.bytes(one)).isEqualTo(before);
    assertThat(story.writer(one)).isEqualTo(row.process());
    assertDocument();
  }

  /** In a build the simulation of documents, and the test above one that lands later still. */
  @Tag("nightly")
  @Test
  void aPutThatLandsAfterItsWriterWasKilledIsFoundOut() throws Exception {
    long update = holdAPut();
    story.workerOf(update, SOON).kill();
    String created = story.writer(one);
    story.tap().release();
    await().until(() -> !story.writer(one).equals(created));
    String dead = story.writer(one);

    RequestStory.Row row = story.awaitComplete(update, TAKEN_UP_WITHIN);
    assertThat(row.process()).isNotEqualTo(dead);
    assertDocument();
    story.end();
  }

  private void frozenItLosesTheEntityAndChangesNothingWhenItComesBack() throws Exception {
    long update = holdAPut();
    Host victim = story.workerOf(update, SOON);
    assertThat(story.isLocked(update)).isTrue();
    long frozen = System.nanoTime();
    victim.freeze();
    story.tap().noFaults();

    await().pollInterval(Duration.ofMillis(50)).until(() -> !story.isLocked(update));
    story.figure("entity free, ms after SIGSTOP:", Story.millis(frozen, System.nanoTime()));
    RequestStory.Row row = story.awaitComplete(update, TAKEN_UP_WITHIN);
    byte[] before = story.bytes(one);
    victim.thaw();
    story.tap().release();
    await().until(() -> story.tap().holding() == 0);
    Thread.sleep(2_000);

    assertThat(story.bytes(one)).isEqualTo(before);
    assertThat(story.row(update).process()).isEqualTo(row.process());
    assertDocument();
  }

  /**
   * A session that was idle for 3 s, as on a busy machine, is asked before the commit: once more.
   */
  private void aCommitWhoseAnswerIsLostHasItsEffectOnce() throws Exception {
    for (int tries = 1; loseAnAnswer() > 1; tries++) {
      assertThat(tries).isLessThan(5);
      createOne();
    }
  }

  /** Returns how often the update was attempted: once if the answer was that to its commit. */
  private int loseAnAnswer() throws Exception {
    long puts = story.puts(one);
    long update = holdAPut();
    Host host = story.workerOf(update, SOON);
    // From now on the host can ask the database, and hears nothing.
    host.database().sessions(Purpose.DATA).pauseToClient();
    story.tap().release();

    RequestStory.Row row = story.awaitComplete(update, SOON);
    long next = story.update(one, "{\"c\": 3}");
    Thread.sleep(1_000);
    host.database().sessions(Purpose.DATA).reset();
    host.heal();
    story.awaitComplete(next, TAKEN_UP_WITHIN);

    assertThat(story.row(update)).isEqualTo(row);
    assertThat(story.document(one).toString()).isEqualTo("{\"a\":2,\"c\":3}");
    if (row.attempts() == 1) {
      assertThat(story.puts(one) - puts).as("writes of two updates").isEqualTo(2);
    }
    return row.attempts();
  }

  private void whileTheStoreHangsForOneEntityTheOthersGoOnAndThenHostsAskTheDatabaseLittle()
      throws Exception {
    long stuck = holdAPut();
    long began = System.nanoTime();
    List<Long> others = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      others.add(story.create("other-" + i, "{}"));
    }
    for (long other : others) {
      story.awaitComplete(other, SOON);
    }
    story.figure("forty others, ms:", Story.millis(began, System.nanoTime()));

    assertThat(story.row(stuck).status()).isEqualTo("new");
    story.tap().release();
    story.awaitComplete(stuck, SOON);
    assertDocument();
    withNothingToDoHostsAskTheDatabaseLittle();
  }

  private void withNothingToDoHostsAskTheDatabaseLittle() throws Exception {
    // The pause between two looks grows for some seconds, and a host may begin late.
    await()
        .atMost(SOON)
        .pollInterval(Duration.ZERO)
        .untilAsserted(() -> assertLittle(statementsPerSecond(IDLE)));
  }

  private Map<String, Double> statementsPerSecond(Duration during) throws Exception {
    Map<String, Set<String>> before = story.statements();
    Map<String, Set<String>> asked = new TreeMap<>();
    long began = System.nanoTime();
    while (System.nanoTime() - began < during.toNanos()) {
      story.statements().forEach((session, at) -> asked.merge(session, at, DocumentFaults::both));
      Thread.sleep(20);
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    Map<String, Double> perSecond = new TreeMap<>();
    asked.forEach(
        (session, at) -> {
          at.removeAll(before.getOrDefault(session, Set.of()));
          perSecond.put(session, at.size() / seconds);
        });
    story.figure("statements per second:", perSecond);
    return perSecond;
  }

  private void assertLittle(Map<String, Double> perSecond) {
    for (Host host : List.of(a, b)) {
      String sessions = "recorder/" + host.name();
      assertThat(perSecond.get(sessions + "/data")).as("looks").isBetween(0.1, 1.3);
      assertThat(perSecond.get(sessions + "/listen")).as("looks after peers").isBetween(0.05, 0.8);
      // A heartbeat every 500 ms, and a look at the peers every 50 ms.
      assertThat(perSecond.get(sessions + "/control")).as("heartbeats").isLessThan(25);
    }
  }

  private static Set<String> both(Set<String> some, Set<String> others) {
    some.addAll(others);
    return some;
  }

  /** Asks for an update of which the PUT is on its way until the tap is released. */
  private long holdAPut() throws Exception {
    story.tap().onRequest(request -> story.putOf(one).test(request) ? Fault.hold() : Fault.none());
    long update = story.update(one, "{\"a\": 2, \"b\": null}");
    await().until(() -> story.tap().holding() >= 1);
    return update;
  }

  private void assertDocument() throws Exception {
    assertThat(story.document(one).toString()).isEqualTo("{\"a\":2}");
  }
}
