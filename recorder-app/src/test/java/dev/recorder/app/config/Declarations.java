package dev.recorder.app.config;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The settings that classes declare, and the table that the page on the configuration has of them.
 */
final class Declarations {
  private Declarations() {}

  /** In the order of the classes, and in each in that of the source. */
  static List<Setting<?>> in(Class<?>... holders) {
    List<Setting<?>> settings = new ArrayList<>();
    for (Class<?> holder : holders) {
      for (Field field : holder.getDeclaredFields()) {
        if (field.getType() == Setting.class) {
          settings.add(setting(field));
        }
      }
    }
    return settings;
  }

  private static Setting<?> setting(Field field) {
    try {
      return (Setting<?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** In Markdown, one row for each. */
  static String table(List<Setting<?>> settings) {
    return "| Key | Default | Values | Meaning |\n|---|---|---|---|\n"
        + settings.stream().map(Declarations::row).collect(joining());
  }

  private static String row(Setting<?> setting) {
    String meaning = setting.explanation().meaning();
    return "| %s | %s | %s |%s |\n"
        .formatted(
            code(setting.key()),
            unset(setting),
            values(setting),
            meaning.isEmpty() ? "" : " " + meaning);
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
        .map(word -> code(((ConfigWord) word).word()))
        .collect(joining(", "));
  }

  private static String code(String text) {
    return "`" + text + "`";
  }
}
