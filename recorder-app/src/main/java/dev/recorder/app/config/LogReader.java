package dev.recorder.app.config;

/** {@code [log]}. */
final class LogReader {
  private LogReader() {}

  static Buildable<LogConfig> read(SectionReader reader) {
    LogFormatWord format = reader.value(LogConfig.FORMAT);
    LogLevelWord level = reader.value(LogConfig.LEVEL);
    reader.reportUnknownKeys();
    return () -> new LogConfig(format, level);
  }
}
