package dev.recorder.app.config;

/**
 * How {@code recorder run} writes its log; what is logged of one recorder, its own section says.
 */
public record LogConfig(LogFormatWord format, LogLevelWord level) {
  static final String SECTION = "log";

  static final Setting<LogFormatWord> FORMAT =
      Setting.word("format", LogFormatWord.TEXT)
          .means(
              "`json`: one object a line, with [names of events and fields](logs.md). What is"
                  + " logged before the file is read is text.");
  static final Setting<LogLevelWord> LEVEL =
      Setting.word("level", LogLevelWord.INFO)
          .means(
              "Lowest level that is logged. `log_level` sets another one for a"
                  + " recorder. Libraries other than the recorder log at `info` at most.");

  /** As it is if nobody says otherwise. */
  static final LogConfig USUAL = new LogConfig(LogFormatWord.TEXT, LogLevelWord.INFO);
}
