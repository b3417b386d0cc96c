package dev.recorder.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogEventTest {
  @Test
  void aLineHasTheEventAsItsMarkerAndTheWordsAsBefore() {
    Logger log = (Logger) LoggerFactory.getLogger("event-test");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    log.setAdditive(false);

    log.info(LogEvent.FIRST_SLOT_SETTLED, "first slot {} settled {} ms into the term", 41L, 7L);

    ILoggingEvent line = lines.list.get(0);
    assertThat(line.getFormattedMessage()).isEqualTo("first slot 41 settled 7 ms into the term");
    assertThat(line.getMarkerList()).containsExactly(LogEvent.FIRST_SLOT_SETTLED);
  }

  @Test
  void itsNameIsThatOfTheConstantAndItsFieldsAreInTheArgumentsOrder() {
    assertThat(LogEvent.FIRST_SLOT_SETTLED.getName()).isEqualTo("first_slot_settled");
    assertThat(LogEvent.FIRST_SLOT_SETTLED.fields()).containsExactly("slot", "after_ms");
    assertThat(LogEvent.BUG.fields()).isEmpty();
  }

  @Test
  void asAMarkerItStandsForItselfAlone() {
    assertThat(LogEvent.PAUSED.contains(LogEvent.PAUSED)).isTrue();
    assertThat(LogEvent.PAUSED.contains(LogEvent.RESUMED)).isFalse();
    assertThat(LogEvent.PAUSED.contains("paused")).isTrue();
    assertThat(LogEvent.PAUSED.hasReferences()).isFalse();
    assertThat(LogEvent.PAUSED.iterator()).isExhausted();
    assertThat(LogEvent.PAUSED.remove(LogEvent.RESUMED)).isFalse();
    assertThatThrownBy(() -> LogEvent.PAUSED.add(LogEvent.RESUMED))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
