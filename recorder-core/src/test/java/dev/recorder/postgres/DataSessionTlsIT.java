package dev.recorder.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.network.TestCertificate;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataSessionTlsIT {
  private static final Duration AN_HOUR = Duration.ofHours(1); // Whoever waited would hang.

  @TempDir private static Path folder;

  /** To end it politely takes an answer, which the control loop would wait for. */
  @Test
  void whoAbortsASessionInABlackHoleDoesNotWaitForTheServer() throws Exception {
    TestCertificate certificate = TestCertificate.create(folder, "postgres", "ip:127.0.0.1");
    try (PostgresServer server =
            PostgresServer.builder()
                .set("ssl", "on")
                .set("ssl_cert_file", certificate.certificate().toString())
                .set("ssl_key_file", certificate.key().toString())
                .start();
        TcpProxy network = TcpProxy.to(server.port())) {
      TestDatabase database = TestDatabase.createOn(server, TestDatabase.ROLE);
      DataSession session = new DataSession(sessions(database, network.port()), 1);
      Connection idle = session.connection();
      idle.setNetworkTimeout(Runnable::run, Math.toIntExact(AN_HOUR.toMillis()));
      network.cut();

      long start = System.nanoTime();
      assertThat(CompletableFuture.runAsync(session::abort)).succeedsWithin(A_MINUTE);
      System.out.println(
          "figure: a data session with TLS in a black hole, aborted in "
              + Duration.ofNanos(System.nanoTime() - start));
      await().until(idle::isClosed);
      session.close();
    }
  }

  private static Sessions sessions(TestDatabase database, int port) {
    return new Sessions(
        DatabaseSettings.of("127.0.0.1", database.name(), TestDatabase.ROLE)
            .port(port)
            .password(TestDatabase.PASSWORD)
            .sslmode("require")
            .build(),
        "one");
  }
}
