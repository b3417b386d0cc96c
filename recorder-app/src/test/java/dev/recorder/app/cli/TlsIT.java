package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.ConfigException;
import dev.recorder.machine.Machine;
import dev.recorder.testing.network.TestCertificate;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A machine whose file says {@code verify-full}, and a server that takes encrypted sessions. */
@Timeout(300)
class TlsIT {
  @TempDir private Path folder;
  private TestCertificate certificate;
  private PostgresServer server;
  private TestSite site;

  @BeforeEach
  void start() throws Exception {
    certificate = TestCertificate.create(folder, "server", "ip:127.0.0.1");
    server =
        PostgresServer.builder()
            .set("ssl", "on")
            .set("ssl_cert_file", certificate.certificate().toString())
            .set("ssl_key_file", certificate.key().toString())
            .start();
    site = TestSite.on(TestDatabase.createOn(server, TestDatabase.ROLE), folder);
  }

  @AfterEach
  void stop() throws Exception {
    site.close();
    server.close();
  }

  @Test
  void everySessionOfAMachineThatRecordsIsEncrypted() throws Exception {
    trust("127.0.0.1", certificate);
    site.start();
    site.record("orders", 3);

    assertThat(
            site.ask(
                "SELECT count(*) FILTER (WHERE NOT ssl) || ' of ' || (count(*) > 1)"
                    + " FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)"
                    + " WHERE application_name LIKE 'recorder/%'"))
        .isEqualTo("0 of true");
    site.run("check", "--online").exits(0);
  }

  @Test
  void aServerOfAnotherNameIsNotTalkedTo() throws Exception {
    trust("localhost", certificate);

    Run run = site.run("status").says("cannot connect to recorder@localhost", "localhost");

    assertThat(run.exitCode()).isNotZero();
  }

  @Test
  void aServerWithACertificateThatNobodyTrustsIsNotTalkedTo() throws Exception {
    trust("127.0.0.1", TestCertificate.create(folder, "other", "ip:127.0.0.1"));

    Run run = site.run("status").says("cannot connect to recorder@127.0.0.1", "certif");

    assertThat(run.exitCode()).isNotZero();
  }

  @Test
  void aTokenOfRdsThatIsRefusedIsToldWithWhatToAllow() throws Exception {
    site.configure(
        trusting("127.0.0.1", certificate)
            .replaceFirst("(?m)^password = .*$", "password = rds-iam\nregion = eu-west-1"));

    site.run("status")
        .exits(ExitCode.RIGHTS)
        .says(
            "the server refused the token of password = rds-iam: allow rds-db:connect on recorder",
            "GRANT rds_iam TO recorder, and compare this host's clock, which says 2")
        .doesNotSay("X-Amz");
  }

  /** As where a certificate is put right, or its time comes, while a host boots. */
  @Test
  void aMachineThatStartsGivesItsServerTimeToHaveARightCertificate() throws Exception {
    TestCertificate right = TestCertificate.create(folder, "right", "ip:127.0.0.1");
    trust("127.0.0.1", right);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.list = new CopyOnWriteArrayList<>(); // The machine writes it while the test reads.
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger(Machine.class);
    logger.addAppender(log);
    try {
      CompletableFuture<Void> started = CompletableFuture.runAsync(this::startMachine);
      await()
          .until(() -> log.list.stream().anyMatch(e -> e.getFormattedMessage().contains("certif")));
      assertThat(started).isNotDone();

      replace(certificate.certificate(), right.certificate());
      replace(certificate.key(), right.key());
      server.execute("SELECT pg_reload_conf()");

      started.get();
    } finally {
      logger.detachAppender(log);
    }
  }

  private static void replace(Path file, Path by) throws IOException {
    Files.copy(by, file, REPLACE_EXISTING, COPY_ATTRIBUTES);
  }

  private void startMachine() {
    try {
      site.start();
    } catch (ConfigException | SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void trust(String endpoint, TestCertificate trusted) throws Exception {
    site.configure(trusting(endpoint, trusted));
  }

  private String trusting(String endpoint, TestCertificate trusted) {
    return site.text()
        .replaceFirst(
            "(?m)^endpoint = 127.0.0.1$",
            "endpoint = %s\nsslmode = verify-full\nsslrootcert = %s"
                .formatted(endpoint, trusted.certificate()));
  }
}
