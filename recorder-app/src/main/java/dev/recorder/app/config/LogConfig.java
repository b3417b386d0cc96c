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
              "From which level on there are lines. Single recorders may have another,"
                  + " `log_level`. Other libraries than the recorder never say more than at"
                  + " `info`.");

  /** As it is if nobody says otherwise. */
  static final LogConfig USUAL = new LogConfig(LogFormatWord.TEXT, LogLevelWord.INFO);
}
