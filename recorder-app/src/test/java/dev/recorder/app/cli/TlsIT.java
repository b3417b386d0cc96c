package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestCertificate;
import dev.recorder.testing.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

  private void trust(String endpoint, TestCertificate trusted) throws Exception {
    site.configure(
        site.text()
            .replaceFirst(
                "(?m)^endpoint = 127.0.0.1$",
                "endpoint = %s\nsslmode = verify-full\nsslrootcert = %s"
                    .formatted(endpoint, trusted.certificate())));
  }
}
