package dev.recorder.app.config;

import static java.util.stream.Collectors.joining;

import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.value.Rule;
import dev.recorder.handoff.RecorderKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The table that the page on the configuration has of settings. */
final class Declarations {
  private Declarations() {}

  /** In Markdown, one row for each. */
  static String table(List<Setting<?>> settings) {
    return "| Key | Default | Values | Meaning |\n|---|---|---|---|\n"
        + settings.stream().map(Declarations::row).collect(joining());
  }

  private static String row(Setting<?> setting) {
    String meaning = meaning(setting);
    return "| %s | %s | %s |%s |\n"
        .formatted(
            code(setting.key()),
            unset(setting),
            values(setting),
            meaning.isEmpty() ? "" : " " + meaning);
  }

  /** With what the scope of a key says of it. */
  private static String meaning(Setting<?> setting) {
    Setting.SettingScope scope = setting.scope();
    return Stream.of(
            scope.only() == RecorderKind.LOG ? "Logs only." : "",
            scope.only() == RecorderKind.REQUESTS ? "Requests only." : "",
            setting.explanation().meaning(),
            scope.mayDiffer() ? "Hosts may differ in it." : "",
            scope.reloadedWhile() == null ? "" : "A reload applies it.")
        .filter(part -> !part.isEmpty())
        .collect(joining(" "));
  }

  private static String unset(Setting<?> setting) {
    if (setting.byDefault() == null) {
      return setting.explanation().unset();
    }
    String value = Setting.write(setting.byDefault());
    return value.isEmpty() ? "empty" : code(value);
  }

  /** Limits and words as they are declared; else what is said of them. */
  static String values(Setting<?> setting) {
    if (setting.rule() instanceof Rule.Between<?> between) {
      return code(Setting.write(between.least()))
          + " to "
          + code(Setting.write(between.greatest()));
    } else if (setting.type() == Boolean.class) {
      return "`true`, `false`";
    }
    return setting.type().isEnum() ? words(setting) : setting.explanation().values();
  }

  private static String words(Setting<?> setting) {
    return Arrays.stream(setting.type().getEnumConstants())
        .map(word -> code(Setting.write(word)))
        .collect(joining(", "));
  }

  private static String code(String text) {
    return "`" + text + "`";
  }
}
