package dev.recorder.app.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.host.LogConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.LogFormatWord;
import dev.recorder.app.config.value.LogLevelWord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Applies configurations to the log of this process. Before the first configuration, logback.xml
 * applies. Thread-safe.
 */
public final class LogOutput {
  /** The prefix of Recorder's loggers. */
  static final String OURS = "dev.recorder";

  private static final org.slf4j.Logger log = LoggerFactory.getLogger(LogOutput.class);

  private final LoggerContext context;
  private final RecorderLevels recorders = new RecorderLevels();

  /** The levels of other loggers in logback.xml. */
  private final Map<Logger, Level> others = new LinkedHashMap<>();

  LogOutput(LoggerContext context) {
    this.context = context;
    context.getLoggerList().stream()
        .filter(logger -> logger.getLevel() != null && !logger.getName().startsWith(OURS))
        .forEach(logger -> others.put(logger, logger.getLevel()));
    recorders.setContext(context);
    recorders.start();
    context.addTurboFilter(recorders);
  }

  /** Returns the log of this process. Call this once. */
  public static LogOutput ofThisProcess() {
    return new LogOutput((LoggerContext) LoggerFactory.getILoggerFactory());
  }

  /** Applies the configuration. */
  public synchronized void use(RecorderConfig config) {
    LogConfig wanted = config.log();
    Level level = level(wanted.get(LogConfig.LEVEL));
    context.getLogger(OURS).setLevel(level);
    // Not below the level in logback.xml: DEBUG has headers of requests, with credentials.
    others.forEach((logger, usual) -> logger.setLevel(graver(usual, level)));
    recorders.use(levels(config));
    boolean json = wanted.get(LogConfig.FORMAT) == LogFormatWord.JSON;
    List<LogLineEncoder> encoders = encoders();
    encoders.forEach(to -> to.use(json ? new JsonLine(config.machine().name()) : null));
    if (json && encoders.isEmpty()) {
      log.warn(
          AppEvent.LOG_FORMAT_NOT_USED,
          "[log] format = json has no effect: this process logs by a Logback configuration of its"
              + " own");
    }
  }

  private static Map<String, Level> levels(RecorderConfig config) {
    Map<String, Level> levels = new HashMap<>();
    for (RecorderSection recorder : config.recorders()) {
      LogLevelWord own = recorder.orNull(RecorderSectionKeys.LOG_LEVEL);
      if (own != null) {
        levels.put(recorder.name(), level(own));
      }
    }
    return levels;
  }

  private static Level level(LogLevelWord word) {
    return Level.toLevel(word.name());
  }

  private static Level graver(Level one, Level other) {
    return one.isGreaterOrEqual(other) ? one : other;
  }

  private List<LogLineEncoder> encoders() {
    List<LogLineEncoder> encoders = new ArrayList<>();
    Iterator<Appender<ILoggingEvent>> appenders =
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
    while (appenders.hasNext()) {
      if (encoder(appenders.next()) instanceof LogLineEncoder ours) {
        encoders.add(ours);
      }
    }
    return encoders;
  }

  private static @Nullable Object encoder(Appender<ILoggingEvent> appender) {
    return appender instanceof OutputStreamAppender<ILoggingEvent> stream
        ? stream.getEncoder()
        : null;
  }
}
