package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DataSession;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Ticks on a real server, beside rows of others. */
class TickStatementIT {
  private static final String TICKS =
      "SELECT payload->>'tick' FROM handoff.orders WHERE key = 'timer' ORDER BY id";

  private RebaseSite site;
  private DataSession session;
  private TickStatement tick;

  @BeforeEach
  void open() throws Exception {
    site = new RebaseSite(PostgresServer.shared(), new MemoryStore());
    assertThat(site.setUp()).isEmpty();
    session = new DataSession(site.sessions(), 1);
    tick = new TickStatement(session, RebaseSite.ORDERS);
  }

  @AfterEach
  void close() throws Exception {
    session.close();
    site.close();
  }

  /** What json lets in and no text holds, and what looks like a tick. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":\"\\u0000\"}",
        "{\"tick\":\"\\u0000\"}",
        "{\"tick\":\"\\ud800\"}",
        "{\"tick\":1e400}",
        "{\"tick\":12345678901234567890}",
        "{\"tick\":[1]}",
        "7"
      })
  void aRowThatIsNoTickDoesNotStopTheClock(String payload) throws Exception {
    site.run("INSERT INTO handoff.orders (key, payload) VALUES ('other', '" + payload + "')");

    tick.insert();
    tick.insert();

    assertThat(site.ask(TICKS)).containsExactly("1", "2");
  }

  @Test
  void aTickThatFailsIsToldOnceAndThatTheyGoOn() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(TickStatement.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    site.run("ALTER TABLE handoff.orders RENAME TO away");
    tick.insert();
    tick.insert();
    site.run("ALTER TABLE handoff.away RENAME TO orders");

    tick.insert();
    tick.insert();

    log.detachAppender(lines);
    assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
        .satisfiesExactly(
            failed ->
                assertThat(failed)
                    .startsWith("the database, for ticks, does not answer properly, retrying: ")
                    .contains("42P01"),
            again -> assertThat(again).isEqualTo("the database, for ticks, answers again"));
    assertThat(site.ask(TICKS)).containsExactly("1", "2");
  }
}
