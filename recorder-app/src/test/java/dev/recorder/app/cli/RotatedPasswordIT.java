package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.SecretsServer;
import dev.recorder.testing.servers.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The password of the role is changed at the server, and later in the file of the host. */
@Timeout(300)
class RotatedPasswordIT {
  @TempDir private Path folder;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private PostgresServer server;
  private TestSite site;

  @BeforeEach
  void create() throws Exception {
    server = PostgresServer.start();
    site = TestSite.on(TestDatabase.createOn(server, TestDatabase.ROLE), folder);
    Path file = site.write("db-password", TestDatabase.PASSWORD + "\n");
    site.configure(site.text().replaceFirst("(?m)^password = .*$", "password_file = " + file));
    lines.start();
    log().addAppender(lines);
  }

  @AfterEach
  void close() throws Exception {
    log().detachAppender(lines);
    site.close();
    server.close();
  }

  private static Logger log() {
    return (Logger) LoggerFactory.getLogger("dev.recorder");
  }

  @Test
  void aHostComesBackWithTheNewPasswordAndSaysMeanwhileWhatIsWrong() throws Exception {
    site.start();
    site.record("orders", 3);
    setPassword("another");
    server.restart();

    await().until(() -> told("password authentication failed") > 0);
    Files.writeString(folder.resolve("db-password"), "another\n");
    await().until(() -> told("answers again") > 0);
    setPassword(TestDatabase.PASSWORD);
    Files.writeString(folder.resolve("db-password"), TestDatabase.PASSWORD + "\n");

    site.record("orders", 2);
    assertThat(told("password authentication failed")).as("once per outage").isBetween(1L, 4L);
    assertThat(lines()).noneMatch(line -> line.contains("another"));
  }

  @Test
  void aHostLogsInWithASecretAsItIsNowAndSaysWhyItCannotReadIt() throws Exception {
    try (SecretsServer secrets = new SecretsServer()) {
      secrets.holds(secret(TestDatabase.PASSWORD));
      site.configure(
          site.text()
              .replaceFirst(
                  "(?m)^password = .*$",
                  "secret = " + SecretsServer.ARN + "\nsecret_endpoint = " + secrets.endpoint()));
      site.start();
      site.record("orders", 3);
      setPassword("hunter2");
      secrets.holds(secret("hunter2"));
      server.restart();
      await().until(() -> told("registered as host-a") > 1);
      assertThat(told("password authentication failed")).isZero();

      secrets.holds(secret("wrong"));
      site.run("status")
          .exits(ExitCode.RIGHTS)
          .says("SQLSTATE 28P01", "the password that secret = " + SecretsServer.ARN + " holds")
          .inOneLine();
      secrets.refuses(400, "AccessDeniedException", "no identity-based policy allows it");
      site.run("status")
          .exits(ExitCode.RIGHTS)
          .says("secret = " + SecretsServer.ARN + " cannot be read: HTTP 400 AccessDenied")
          .says("; allow secretsmanager:GetSecretValue on it")
          .inOneLine();

      long logins = told("registered as host-a");
      setPassword(TestDatabase.PASSWORD);
      server.restart();
      await().until(() -> told("an earlier password of role recorder, as secret = ") > 0);
      secrets.holds(secret(TestDatabase.PASSWORD));
      await().until(() -> told("registered as host-a") > logins);
      site.record("orders", 2);
      assertThat(lines()).noneMatch(line -> line.contains("hunter2"));
    }
  }

  private void setPassword(String password) throws Exception {
    server.execute("ALTER ROLE " + TestDatabase.ROLE + " PASSWORD '" + password + "'");
  }

  private static String secret(String password) {
    return "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(TestDatabase.ROLE, password);
  }

  private long told(String words) {
    return lines().stream().filter(line -> line.contains(words)).count();
  }

  private List<String> lines() {
    return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
