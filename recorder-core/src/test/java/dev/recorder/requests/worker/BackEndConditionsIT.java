package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.Supervision;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a machine states of recorders of requests that it does not process. */
class BackEndConditionsIT {
  private static final BackEndSettings SETTINGS = Accounts.settings(1, A_MINUTE);
  private static final BackEndSettings ELSEWHERE =
      BackEndSettings.of(
              Accounts.LOCK_ID,
              new DocumentLayout("", "bucket", "other", Accounts.LAYOUT.recorder()),
              SETTINGS.effort())
          .history(Duration.ofHours(1))
          .maxPayload(SETTINGS.maxPayload())
          .build();

  private final AtomicBoolean isBroken = new AtomicBoolean();
  private Accounts.Hosted accounts;

  @BeforeEach
  void start() throws Exception {
    DocumentStore store =
        Accounts.failing(
            new MemoryStore(),
            (method, arguments) ->
                isBroken.get() && method.getDeclaringClass() != Object.class
                    ? new IllegalStateException("HTTP 403")
                    : null);
    accounts = new Accounts.Hosted(store, MemoryBudget.unlimited(), Supervision.by(failure -> {}));
  }

  @AfterEach
  void stop() throws Exception {
    accounts.close();
  }

  @Test
  void whyItIsNotAbleIsStatedUntilItIs() throws Exception {
    isBroken.set(true);
    accounts.add(SETTINGS);
    await()
        .untilAsserted(
            () ->
                assertThat(accounts.stated())
                    .containsOnlyKeys("accounts is not able")
                    .hasEntrySatisfying(
                        "accounts is not able", why -> assertThat(why).contains("HTTP 403")));

    isBroken.set(false);
    await().untilAsserted(() -> assertThat(accounts.stated()).isEmpty());
  }

  /** As when a copy was renamed into its place. */
  @Test
  void aDatabaseThatBecomesAnotherIsStatedUntilTheRecorderIsPinnedToIt() throws Exception {
    accounts.add(SETTINGS);
    accounts.insert("create", "x", "{}");
    accounts.awaitComplete(1);
    String pinned = accounts.text("SELECT database FROM recorder.lock_recorders");
    accounts.run(
        "UPDATE recorder.lock_recorders SET database = regexp_replace(database, '/\\d+/', '/1/')");
    accounts.endWorkers("host-a");
    await()
        .untilAsserted(
            () ->
                assertThat(accounts.stated())
                    .containsOnlyKeys("accounts is not able")
                    .hasEntrySatisfying(
                        "accounts is not able",
                        why ->
                            assertThat(why)
                                .startsWith("recorder accounts writes from another database of")));
    assertThat(accounts.isReady()).isFalse();
    assertThat(accounts.isAble()).isFalse();

    accounts.run("UPDATE recorder.lock_recorders SET database = '" + pinned + "'");
    await().untilAsserted(() -> assertThat(accounts.stated()).isEmpty());
    assertThat(accounts.isReady()).isTrue();
    accounts.insert("create", "y", "{}");
    accounts.awaitComplete(2);
    assertThat(accounts.isAble()).isTrue();
  }

  @Test
  void whatIsLetGoIsNotStatedAnyMore() throws Exception {
    isBroken.set(true);
    accounts.add(SETTINGS);
    await().until(() -> accounts.stated().toString().contains("HTTP 403"));
    accounts.keepOnly();

    assertThat(accounts.stated()).isEmpty();
  }

  @Test
  void whyItIsRefusedIsStatedUntilItIsTakenOn() throws Exception {
    accounts.add(SETTINGS);
    await().until(accounts::isAble); // The place is pinned by then.
    accounts.keepOnly();
    accounts.add(ELSEWHERE);
    assertThat(accounts.stated())
        .containsOnlyKeys("accounts is refused")
        .hasEntrySatisfying("accounts is refused", why -> assertThat(why).contains("\"other\""));
    accounts.keepOnly(ELSEWHERE);
    assertThat(accounts.stated()).containsOnlyKeys("accounts is refused");

    accounts.add(SETTINGS);
    await().untilAsserted(() -> assertThat(accounts.stated()).isEmpty());
  }

  @Test
  void afterAReloadItIsAbleOnlyOnceThatWasFoundAnew() throws Exception {
    accounts.add(SETTINGS);
    await().until(accounts::isAble);
    await().until(accounts::isReady);
    accounts.keepOnly();
    assertThat(accounts.isReady()).isFalse();
    accounts.add(ELSEWHERE);
    assertThat(accounts.isAble()).isFalse();
    assertThat(accounts.isReady()).isFalse();

    accounts.add(SETTINGS);
    await().until(accounts::isAble);
    accounts.keepOnly();
    isBroken.set(true);
    accounts.add(SETTINGS);
    await().until(() -> accounts.stated().toString().contains("HTTP 403"));
    assertThat(accounts.isAble()).isFalse();
  }

  @Test
  void ofWhatIsRefusedAndNotWantedAnyMoreNothingIsStated() throws Exception {
    accounts.add(SETTINGS);
    accounts.keepOnly();
    accounts.add(ELSEWHERE);
    accounts.keepOnly();

    assertThat(accounts.stated()).isEmpty();
  }
}
