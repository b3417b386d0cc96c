package dev.recorder.app.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class LogLineTest {
  /** A role may be called so; it is named when it is in the way. */
  @Test
  void whatWouldMoveACursorIsShownAsAQuestionMark() throws Exception {
    assertThat(line("a\u001b[31m\u009b2Jb\rc\u0000d")).endsWith(": a?[31m?2Jb?c?d\n");
    assertThat(line("orders\u202elive\u2028d\u2066e")).endsWith(": orders?live?d?e\n");
  }

  @Test
  void linesAndOtherLettersStayAsTheyAre() throws Exception {
    assertThat(line("é — 日本\n\tGRANT …")).endsWith(": é — 日本\n  \tGRANT …\n");
  }

  /** Whoever may prepare a transaction chooses its name, which is told if it is in the way. */
  @Test
  void noNameCanLookLikeALineOfItsOwn() throws Exception {
    assertThat(line("held by gid\n2026-01-01 INFO all is well"))
        .endsWith(": held by gid\n  2026-01-01 INFO all is well\n");
  }

  private static String line(String message) throws Exception {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogLineTest.class.getResource("/logback.xml"));
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    var appender = (ConsoleAppender<ILoggingEvent>) root.getAppender("STDERR");
    var event =
        new LoggingEvent(LogLineTest.class.getName(), root, Level.WARN, message, null, null);
    return new String(appender.getEncoder().encode(event), UTF_8);
  }
}
