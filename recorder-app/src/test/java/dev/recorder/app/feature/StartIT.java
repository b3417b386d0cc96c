package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Host;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that start at the same time, or under the same name. */
@Timeout(900)
class StartIT {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  private static final String SECOND =
      """
      [recorder:second]
      lockid = 2
      primary = true

      """;

  @RegisterExtension private final Story story = new Story();

  @Test
  void bothSucceedAtTheSameInstantOnAnEmptyDatabase() throws Exception {
    Host a = story.cluster().host("host-a", true);
    Host b = story.cluster().host("host-b", false);
    a.start();
    b.start();

    story.observer().awaitReady(a, START_WITHIN);
    story.observer().awaitReady(b, START_WITHIN);
    story.insertRows();
    story.observer().await("a first slot", START_WITHIN, state -> state.lastSlot() > 0);
    story.assertReasons("start");
    story.end();
  }

  @Test
  void aSecondOneUnderTheSameNameIsTurnedAwayUnlessTheFirstEndsMeanwhile() throws Exception {
    Host a = story.cluster().host("host-a", true);
    story.begin(a);
    Host namesake = story.cluster().namesake(a).start();

    assertThat(namesake.awaitExit(START_WITHIN)).isEqualTo(75);

    assertThat(refusals(namesake)).isPositive();
    story.awaitNextSlot();
    story.assertNoAlarms(a);
    assertThat(a.isRunning()).isTrue();
    assertThat(story.observer().takeovers()).hasSize(1);

    long refusals = refusals(namesake);
    namesake.start();
    Patience.await().until(() -> refusals(namesake) > refusals);
    a.kill();

    story.observer().await("second term", START_WITHIN, state -> state.epoch() == 2);
    story.observer().awaitWorking(namesake, START_WITHIN);
    story.assertReasons("start", "died");
    story.end();
  }

  private static long refusals(Host host) {
    return count(host, "another process runs under the name 'host-a'");
  }

  /** One start after the other. */
  @Test
  void withoutADatabaseAmongReloadsOrWithoutATableAHostStarts() throws Exception {
    Host a = story.cluster().host("host-a", true);
    aRecorderMayGoBeforeTheDatabaseWasEverReached(a);
    reloadsWhileItStartsDoNoHarmAndAreDone(a);
    aTableThatIsGoneKeepsAHostThatStartsAgainFromItsOwnRecorderAlone(a);
    story.endAfter(3);
  }

  private void reloadsWhileItStartsDoNoHarmAndAreDone(Host a) throws Exception {
    a.kill();
    long begun = count(a, "effective configuration:");
    long registered = count(a, "registered as host-a");
    long reloads = count(a, "SIGHUP: reading");
    a.start();
    // From the first sign of life of the program on; before, nothing has been read yet.
    Patience.await().until(() -> count(a, "effective configuration:") > begun);
    while (count(a, "registered as host-a") == registered) {
      a.hangUp();
      assertThat(a.isRunning()).as("%s", a.log()).isTrue();
    }

    Patience.await().until(() -> count(a, "SIGHUP: reading") > reloads);
    story.awaitTermAtWork(2);
  }

  private static long count(Host host, String text) {
    return host.log().stream().filter(line -> line.contains(text)).count();
  }

  private void aTableThatIsGoneKeepsAHostThatStartsAgainFromItsOwnRecorderAlone(Host a)
      throws Exception {
    a.edit("[recorder:orders]", SECOND + "[recorder:orders]").hangUp();
    story.observer().awaitHolder("second", "host-a", START_WITHIN);
    a.kill();
    TestDatabase database = story.cluster().database();
    database.execute(
        "DROP TABLE handoff.second",
        // Together: applications insert rows meanwhile.
        "ALTER SCHEMA handoff OWNER TO postgres; GRANT USAGE ON SCHEMA handoff TO recorder");

    a.start();

    String missing = "handoff.second missing, and this role may not create it";
    a.awaitLog("recorder second is refused on this host: " + missing, START_WITHIN);
    story
        .observer()
        .await("a third term", START_WITHIN, s -> s.epoch() == 3 && s.isWorking("host-a"));
    database.execute("GRANT CREATE ON SCHEMA handoff TO recorder");
    a.hangUp();
    String epoch = "SELECT epoch FROM recorder.lock_recorders WHERE recorder = 'second'";
    Patience.await().until(() -> database.number(epoch) == 2);
  }

  private void aRecorderMayGoBeforeTheDatabaseWasEverReached(Host a) throws Exception {
    a.edit("[recorder:orders]", SECOND + "[recorder:orders]");
    a.cut();
    a.start();
    a.awaitLog("the database does not answer properly", START_WITHIN);
    a.edit(SECOND, "").hangUp();
    a.awaitLog("SIGHUP: reading", START_WITHIN);
    a.heal();

    story.observer().awaitReady(a, START_WITHIN);
    story.insertRows();
    story.observer().await("a first slot", START_WITHIN, state -> state.lastSlot() > 0);
  }
}
