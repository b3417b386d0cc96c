package dev.recorder.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutageLogTest {
  private final Logger log = (Logger) LoggerFactory.getLogger("outage-test");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final OutageLog outage = new OutageLog(log, "S3");

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
    log.setAdditive(false);
  }

  @Test
  void anOutageIsToldOnceWhenItBeginsAndOnceWhenItEnds() {
    outage.down("PUT", "503");
    outage.down("PUT", "503");
    outage.up("PUT");
    outage.up("PUT");

    assertThat(told())
        .containsExactly("S3 does not answer properly, retrying: 503", "S3 answers again");
  }

  @Test
  void whatAnswersInBetweenDoesNotEndTheOutageOfSomethingElse() {
    outage.down("PUT", "403");
    outage.up("HEAD");
    outage.down("PUT", "403");

    assertThat(told()).containsExactly("S3 does not answer properly, retrying: 403");
  }

  @Test
  void anotherReasonIsToldOnceToo() {
    outage.down("PUT", "cannot connect, port 54321: shutting down");
    outage.down("PUT", "wrong password");
    outage.down("PUT", "cannot connect, port 12345: shutting down");
    outage.down("PUT", "no answer within 900 ms");
    outage.down("PUT", "no answer within 1000 ms");
    outage.down("HEAD", "what did not fail first");
    outage.isOver();
    outage.down("PUT", "wrong password");

    assertThat(told())
        .containsExactly(
            "S3 does not answer properly, retrying: cannot connect, port 54321: shutting down",
            "S3 does not answer properly, retrying: wrong password",
            "S3 does not answer properly, retrying: no answer within 900 ms",
            "S3 answers again",
            "S3 does not answer properly, retrying: wrong password");
  }

  @Test
  void reasonsWithoutEndAreNotTold() {
    for (char each = 'a'; each <= 'z'; each++) {
      outage.down("PUT", "entity " + each);
    }

    assertThat(told()).hasSize(8);
  }

  @Test
  void whoMadeProgressWithoutItEndsIt() {
    outage.isOver();
    outage.down("PUT", "500");
    outage.isOver();
    outage.down("HEAD", "403");

    assertThat(told())
        .containsExactly(
            "S3 does not answer properly, retrying: 500",
            "S3 answers again",
            "S3 does not answer properly, retrying: 403");
  }

  private List<String> told() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
