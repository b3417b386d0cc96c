package dev.recorder.requests.postgres;

import static dev.recorder.requests.postgres.RequestSite.ORDERS;
import static dev.recorder.requests.postgres.RequestSite.begin;
import static dev.recorder.requests.postgres.RequestSite.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.Claim;
import dev.recorder.requests.postgres.RequestSite.Unit;
import dev.recorder.schema.HandoffTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that came before the limits of their table did are worked on like any others. */
class LoweredLimitsIT {
  private static final String LARGE = '"' + "x".repeat(5_000) + '"';

  private RequestSite site;
  private RequestSession a;

  @BeforeEach
  void open() throws Exception {
    site = new RequestSite();
    a = site.worker("a");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aRequestOverThemIsClaimedWithTheSettlementOfTheOneBefore() throws Exception {
    site.create("x");
    site.insert("create", "y", LARGE);
    lower();

    Claim next = unit(a, 1).completeAndClaim(a, UUID.randomUUID(), 1);

    assertThat(next)
        .isInstanceOfSatisfying(Claim.Begun.class, begun -> assertThat(begun.id()).isEqualTo(2));
    unit(a, (Claim.Begun) next).complete(a);
    assertThat(site.statuses()).containsExactly("complete", "complete");
  }

  @Test
  void producersAreHeldToThem() throws Exception {
    lower();

    assertThatThrownBy(() -> site.insert("create", "x", LARGE))
        .hasMessageContaining("violates check constraint \"payload_within_max_payload\"");
    assertThatThrownBy(() -> site.create("x".repeat(1_025)))
        .hasMessageContaining("violates check constraint \"entity_id_within_1024_bytes\"");
  }

  @Test
  void anIdThatNoIndexHoldsIsWorkedOnTooToBecomeAnError() throws Exception {
    site.create("x".repeat(1_025));
    lower();

    unit(a, 1).settle(a, List.of(), Map.of(1L, "too long"));

    assertThat(site.statuses()).containsExactly("error");
  }

  @Test
  void anAttemptThatIsUndoneOrPutOffCanBeMadeAgain() throws Exception {
    site.insert("update", "x", LARGE);
    site.insert("update", "x", LARGE);
    lower();

    a.takeBack(begin(a, 1));
    assertThat(site.row(1).attempts()).isZero();
    unit(a, 1).postpone(a, Duration.ZERO, 10);
    Unit both = unit(a, 1);
    assertThat(both.work().ids()).containsExactly(1L, 2L);
    both.complete(a);

    assertThat(site.statuses()).containsExactly("complete", "complete");
  }

  @Test
  void whatWaitedWhenAWorkerDiedIsMarked() throws Exception {
    site.insert("update", "x", LARGE);
    site.insert("update", "x", LARGE);
    lower();

    begin(a, 1);
    site.terminate("a");
    begin(site.worker("a"), 1);

    assertThat(site.row(1).lostAttempts()).isEqualTo(1);
    assertThat(site.row(2).lostAttempts()).isEqualTo(1);
  }

  @Test
  void anOperatorCancelsAndRetriesThem() throws Exception {
    site.insert("update", "x", LARGE);
    site.insert("update", "y", LARGE);
    site.insert("update", "y", LARGE);
    lower();
    unit(a, 2).settle(a, List.of(), Map.of(2L, "no", 3L, "no"));
    try (Connection operator = site.database.connect()) {
      RequestAdmin admin = new RequestAdmin(operator, SchemaNames.DEFAULT, ORDERS);

      assertThat(admin.cancel(List.of(1L))).containsExactly(1L);
      assertThat(site.statuses()).containsOnly("error");
      assertThat(admin.retry(List.of(1L, 2L, 3L))).containsExactlyInAnyOrder(1L, 2L, 3L);
    }

    unit(a, 1).complete(a);
    unit(a, 2).complete(a);
    assertThat(site.statuses()).containsOnly("complete");
  }

  /** As an administrator does who runs the schema again. */
  private void lower() throws SQLException {
    site.run(new HandoffTable(ORDERS, RecorderKind.REQUESTS, 1_024).create(SchemaNames.DEFAULT));
  }
}
