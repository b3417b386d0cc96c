package dev.recorder.app.feature.requests;

import static dev.recorder.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.BaseBackup;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standby that lacks the last requests takes over, and gives their ids again. */
@Timeout(900)
class FailoverRequestsIT {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final int ENTITIES = 5;
  private static final int UPDATES = 200;

  private static final String DOCUMENTS =
      """

      [recorder:docs]
      lockid = 7
      kind = requests
      """;

  private static final String COMPLETE =
      "SELECT count(*) FROM handoff.docs WHERE request_status = 'complete'";

  @Test
  void eachRequestThatIsCompleteIsInItsDocumentThoughALostOneHadItsId() throws Exception {
    try (S3Server s3 = S3Server.start();
        PostgresServer primary = PostgresServer.start();
        TcpProxy replication = TcpProxy.to(primary.port());
        BaseBackup backup = BaseBackup.forStandby(primary, replication.port());
        PostgresServer standby = PostgresServer.builder().from(backup).start();
        TcpProxy address = TcpProxy.to(primary.port());
        Cluster cluster =
            Cluster.on(
                primary, address.port(), s3, Wiring.DIRECT, Recording.ofRequests(DOCUMENTS))) {
      cluster.host("host-a", true).start();
      TestDatabase lost = cluster.database();
      await().ignoreExceptions().until(() -> lost.number(COMPLETE) == 0);
      lost.execute(
          "INSERT INTO handoff.docs (entity_id, payload)"
              + " SELECT 'e' || i, '{}' FROM generate_series(0, %d) i".formatted(ENTITIES - 1));
      TestDatabase left = lost.on(standby);
      await().ignoreExceptions().until(() -> left.number(COMPLETE) == ENTITIES);

      replication.cut();
      // The standby does not get these numbers either, and gives them again.
      primary.advanceTo(primary.nextXid() + 3_000);
      update(lost, "'e0'", "lost");
      await().until(() -> lost.number(COMPLETE) == ENTITIES + UPDATES);
      primary.kill();
      standby.execute("SELECT pg_promote(wait => false)");
      standby.awaitPromotion(SOON);
      cluster.hasMovedTo(left);
      address.redirect(standby.port());
      address.reset();
      update(left, "'e' || i % " + ENTITIES, "kept");

      await().ignoreExceptions().until(() -> left.number(COMPLETE) == ENTITIES + UPDATES);
      Map<String, byte[]> documents = cluster.documents("docs");
      for (int i = 1; i <= UPDATES; i++) {
        assertThat(new String(documents.get("e" + i % ENTITIES), UTF_8))
            .contains("\"kept%d\":1".formatted(i));
      }
      // What was lost is in the bucket alone, and is told from what was asked for.
      assertThat(new String(documents.get("e0"), UTF_8))
          .contains(IntStream.rangeClosed(1, UPDATES).mapToObj("\"lost%d\":1"::formatted).toList());
      assertThat(cluster.run("verify").output()).contains("entity 'e0'").doesNotContain("'e1'");
    }
  }

  private static void update(TestDatabase database, String entity, String name) throws Exception {
    database.execute(
        """
        INSERT INTO handoff.docs (request_type, entity_id, payload)
        SELECT 'update', %s, format('{"%s%%s":1}', i)::json FROM generate_series(1, %d) i
        """
            .formatted(entity, name, UPDATES));
  }
}
