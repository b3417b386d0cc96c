package dev.recorder.app.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/configuration.md have all keys and no other, with defaults and limits. */
class ConfigurationDocumentTest {
  @TempDir private Path folder;

  static Stream<Arguments> sections() {
    return Stream.of(
        Arguments.of("machine", List.of(MachineConfig.class)),
        Arguments.of("postgredb", List.of(DatabaseConfig.class)),
        Arguments.of("s3", List.of(S3Config.class)),
        Arguments.of("timing", List.of(TimingConfig.class)),
        Arguments.of("redis", List.of(RedisConfig.class)),
        Arguments.of(
            "recorder",
            List.of(
                RecorderSection.class,
                Leading.class,
                Feed.class,
                Batching.class,
                RequestWork.class)));
  }

  @ParameterizedTest(name = "[{0}]")
  @MethodSource("sections")
  void theTableHasEveryKeyAndNoOther(String section, List<Class<?>> holders) {
    assertThat(rows(section).keySet())
        .containsExactlyInAnyOrderElementsOf(
            settings(holders).stream().map(setting -> "`" + setting.key() + "`").toList());
  }

  @ParameterizedTest(name = "[{0}]")
  @MethodSource("sections")
  void theTableHasTheDefaults(String section, List<Class<?>> holders) {
    List<String> required = required();
    for (Setting<?> setting : settings(holders)) {
      String written = cell(section, setting, 1);
      if (setting.byDefault() != null) {
        String value = Setting.write(setting.byDefault());
        assertThat(written).as(setting.key()).isEqualTo(value.isEmpty() ? "empty" : code(value));
      } else if (required.contains(section + " " + setting.key())) {
        assertThat(written).as(setting.key()).isEqualTo("required");
      } else {
        assertThat(written).as(setting.key()).isNotEmpty().isNotEqualTo("required");
      }
    }
  }

  @ParameterizedTest(name = "[{0}]")
  @MethodSource("sections")
  void theTableHasTheLimits(String section, List<Class<?>> holders) {
    for (Setting<?> setting : settings(holders)) {
      String written = cell(section, setting, 2);
      if (setting.rule() instanceof Rule.Between<?> between) {
        assertThat(written)
            .as(setting.key())
            .isEqualTo(
                code(Setting.write(between.least()))
                    + " to "
                    + code(Setting.write(between.greatest())));
      } else if (setting.type().isEnum()) {
        assertThat(written).as(setting.key()).isEqualTo(words(setting));
      } else {
        assertThat(written).as(setting.key()).isNotEmpty();
      }
    }
    if (section.equals("recorder")) {
      assertThat(cell(section, RecorderSection.LOCKID, 2)).isEqualTo("`1` to `998`");
    }
  }

  private static String words(Setting<?> setting) {
    return Arrays.stream(setting.type().getEnumConstants())
        .map(word -> code(((ConfigWord) word).word()))
        .collect(joining(", "));
  }

  /** What a file with nothing but headers is told to add, as {@code section key}. */
  private List<String> required() {
    Pattern missing = Pattern.compile(".*\\[(\\w+)(?::\\w+)?] has no (\\w+);.*");
    return TestIni.findings(folder, "[postgredb]\n[s3]\n[redis]\n[recorder:orders]\n").stream()
        .map(missing::matcher)
        .filter(finding -> finding.matches())
        .map(finding -> finding.group(1) + " " + finding.group(2))
        .toList();
  }

  private static String cell(String section, Setting<?> setting, int column) {
    List<String> row = rows(section).get(code(setting.key()));
    assertThat(row).as("[%s] %s", section, setting.key()).isNotNull();
    return row.get(column);
  }

  private static Map<String, List<String>> rows(String section) {
    String mark = "<!-- config:" + section + " -->";
    return Documents.tableBehind(mark, Documents.configuration()).stream()
        .collect(Collectors.toMap(row -> row.get(0), Function.identity()));
  }

  private static List<Setting<?>> settings(List<Class<?>> holders) {
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

  private static String code(String text) {
    return "`" + text + "`";
  }
}
