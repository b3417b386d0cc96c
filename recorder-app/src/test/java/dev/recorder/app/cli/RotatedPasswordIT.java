package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.testing.servers.PostgresServer;
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
    server.execute("ALTER ROLE " + TestDatabase.ROLE + " PASSWORD 'another'");
    server.restart();

    await().until(() -> told("password authentication failed") > 0);
    Files.writeString(folder.resolve("db-password"), "another\n");
    await().until(() -> told("answers again") > 0);
    server.execute("ALTER ROLE " + TestDatabase.ROLE + " PASSWORD '" + TestDatabase.PASSWORD + "'");
    Files.writeString(folder.resolve("db-password"), TestDatabase.PASSWORD + "\n");

    site.record("orders", 2);
    assertThat(told("password authentication failed")).as("once per outage").isBetween(1L, 4L);
    assertThat(lines()).noneMatch(line -> line.contains("another"));
  }

  private long told(String words) {
    return lines().stream().filter(line -> line.contains(words)).count();
  }

  private List<String> lines() {
    return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
