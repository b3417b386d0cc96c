package dev.recorder.app.config.host;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.LogFormatWord;
import dev.recorder.app.config.value.LogLevelWord;
import java.util.Map;

/**
 * The section {@code [log]}: how {@code recorder run} writes its log. A recorder's section may
 * override it.
 */
public final class LogConfig extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("log");

  public static final Setting<LogFormatWord> FORMAT =
      TABLE.add(
          Setting.word("format", LogFormatWord.TEXT)
              .mayDiffer()
              .reloadedWhile()
              .means(
                  "`json`: one JSON object per line, with [names of events and fields](logs.md)."
                      + " Lines that are logged before the file is read are text."));
  public static final Setting<LogLevelWord> LEVEL =
      TABLE.add(
          Setting.word("level", LogLevelWord.INFO)
              .mayDiffer()
              .reloadedWhile()
              .means(
                  "Lowest level that is logged. `log_level` sets another level for one recorder."
                      + " Libraries such as the AWS SDK never log at `debug`."));

  private LogConfig(Map<String, ?> values) {
    super(TABLE, values);
  }

  public static Deferred<LogConfig> read(SectionReader reader) {
    reader.read(TABLE);
    return () -> new LogConfig(reader.inEffect());
  }

  public LogConfig reloading(LogConfig fresh) {
    return new LogConfig(reloaded(fresh));
  }
}
