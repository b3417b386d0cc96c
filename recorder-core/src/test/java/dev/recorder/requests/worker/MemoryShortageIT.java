package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.testing.MemoryStore;
import dev.recorder.time.Fatal;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an operator hears of requests for which there is no memory. */
class MemoryShortageIT {
  private final Logger logger = (Logger) LoggerFactory.getLogger(Reports.class);
  private final ListAppender<ILoggingEvent> told = new ListAppender<>();

  @BeforeEach
  void listen() {
    told.start();
    logger.addAppender(told);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(told);
  }

  @Test
  void aRequestThatIsGivenBackIsToldWithTheRemedyAndDoneAsSoonAsThereIsMemory() throws Exception {
    MemoryBudget memory = new MemoryBudget(64 << 20, Ticker.system());
    MemoryBudget.Share others = memory.share();
    assertThat(others.growTo(memory.limit())).isTrue();
    try (Accounts.Hosted accounts =
        new Accounts.Hosted(new MemoryStore(), memory, Supervision.by(Fatal.IGNORED))) {
      accounts.hire(Accounts.settings(1, Duration.ofSeconds(2)));
      accounts.insert("create", "x", '"' + "x".repeat(1_000_000) + '"');

      await().until(() -> !told.list.isEmpty());
      ILoggingEvent first = told.list.get(0);
      assertThat(first.getLevel()).isEqualTo(Level.WARN);
      assertThat(first.getFormattedMessage())
          .startsWith(
              "request 1 was given back, and is tried again: no memory was free for it; it takes 8"
                  + " MiB of the 64 MiB that this process has for rows; start every host with a"
                  + " larger heap (JAVA_OPTS=-Xmx...), or lower workers (1 so far");

      others.release();
      accounts.awaitComplete(1);
    }
  }
}
