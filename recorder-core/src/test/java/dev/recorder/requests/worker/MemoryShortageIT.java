package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What an operator hears of requests for which there is no memory. */
class MemoryShortageIT {
  private final List<Logger> loggers =
      Stream.of(UnitReports.class, BackEnds.class)
          .map(each -> (Logger) LoggerFactory.getLogger(each))
          .toList();
  private final ListAppender<ILoggingEvent> told = new ListAppender<>();

  @BeforeEach
  void listen() {
    told.start();
    loggers.forEach(logger -> logger.addAppender(told));
  }

  @AfterEach
  void listenNoMore() {
    loggers.forEach(logger -> logger.detachAppender(told));
  }

  @Test
  void aRequestThatIsGivenBackIsToldWithTheRemedyAndDoneAsSoonAsThereIsMemory() throws Exception {
    MemoryBudget memory = new MemoryBudget(64 << 20, Ticker.system());
    MemoryBudget.Share others = memory.share();
    assertThat(others.growTo(memory.limit())).isTrue();
    try (Accounts.Hosted accounts =
        new Accounts.Hosted(new MemoryStore(), memory, Supervision.by(FatalErrorHandler.IGNORED))) {
      accounts.add(Accounts.settings(1, Duration.ofSeconds(2)));
      accounts.insert("create", "x", '"' + "x".repeat(1_000_000) + '"');

      await().until(() -> !told.list.isEmpty());
      ILoggingEvent first = told.list.get(0);
      assertThat(first.getLevel()).isEqualTo(Level.WARN);
      assertThat(first.getFormattedMessage())
          .startsWith(
              "request 1 was given back, and is tried again: no memory was free for it; it takes 8"
                  + " MiB of the 64 MiB that this process has for rows; start every host with a"
                  + " larger heap (JAVA_OPTS=-Xmx...), or lower workers (1 since this was last logged");

      others.release();
      accounts.awaitComplete(1);
    }
  }

  /** As a log is: the heap is too small on each day, and not only on the one of the first such. */
  @Test
  void aRecorderWhoseMaxPayloadHasNoRoomIsRefusedAtStart() throws Exception {
    MemoryBudget memory = new MemoryBudget(32 << 20, Ticker.system());
    try (Accounts.Hosted accounts =
        new Accounts.Hosted(new MemoryStore(), memory, Supervision.by(FatalErrorHandler.IGNORED))) {
      accounts.add(Accounts.settings(1, Duration.ofSeconds(2)));

      assertThat(told.list)
          .filteredOn(event -> event.getLevel() == Level.ERROR)
          .singleElement()
          .extracting(ILoggingEvent::getFormattedMessage, as(STRING))
          .startsWith(
              "recorder accounts is refused on this host: max_payload: a row of 16777216 bytes"
                  + " does not fit the memory of this process for rows, 32 MiB; start every host"
                  + " with")
          .endsWith(", or lower max_payload");
    }
  }
}
