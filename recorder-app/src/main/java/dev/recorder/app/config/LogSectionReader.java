package dev.recorder.app.config;

/** {@code [log]}. */
final class LogSectionReader {
  private LogSectionReader() {}

  static Buildable<LogConfig> read(SectionReader reader) {
    LogFormatWord format = reader.value(LogConfig.FORMAT);
    LogLevelWord level = reader.value(LogConfig.LEVEL);
    reader.reportUnknownKeys();
    return () -> new LogConfig(format, level);
  }
}
