package dev.recorder.app.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A log of its own, as the product configures it, whose lines are kept and not printed. */
final class LoggedLines extends AppenderBase<ILoggingEvent> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LoggerContext log = new LoggerContext();
  private final List<String> lines = new ArrayList<>();
  private final ConsoleAppender<ILoggingEvent> product;

  LoggedLines() throws Exception {
    // What this thread works for is in SLF4J's context, which is that of the real log.
    log.setMDCAdapter(((LoggerContext) LoggerFactory.getILoggerFactory()).getMDCAdapter());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(log);
    configurator.doConfigure(LoggedLines.class.getResource("/logback.xml"));
    var root = log.getLogger(Logger.ROOT_LOGGER_NAME);
    product = (ConsoleAppender<ILoggingEvent>) root.getAppender("STDERR");
    product.setOutputStream(OutputStream.nullOutputStream());
    setContext(log);
    start();
    root.addAppender(this);
  }

  LoggerContext context() {
    return log;
  }

  Logger logger(String name) {
    return log.getLogger(name);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(new String(product.getEncoder().encode(event), UTF_8));
  }

  /** As they are written, each with its end. */
  List<String> all() {
    return lines;
  }

  String last() {
    return lines.get(lines.size() - 1);
  }

  JsonNode lastJson() {
    try {
      return JSON.readTree(last());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
