package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of docs/configuration.md are what the declarations of the keys say. */
class ConfigurationDocumentTest {
  private static final String PAGE = "docs/configuration.md";

  private static final String HOW =
      "what the declarations in dev.recorder.app.config say of [%s]; if they are right,"
          + " mvn -B -ntp -pl recorder-app -am test -Dtest=ConfigurationDocumentTest"
          + " -Ddocs.write=true -Dsurefire.failIfNoSpecifiedTests=false writes the page anew";

  @TempDir private Path folder;

  /** The sections of the file. */
  enum Section {
    MACHINE,
    POSTGREDB,
    S3,
    REDIS,
    HTTP,
    METRICS,
    LOG,
    TIMING,
    RECORDER,
    CAPTURE;

    /** What the classes declare that stand for it. */
    List<Setting<?>> settings() {
      return switch (this) {
        case MACHINE -> Declarations.in(MachineConfig.class);
        case POSTGREDB -> Declarations.in(DatabaseConfig.class);
        case S3 -> Declarations.in(S3Config.class);
        case REDIS -> Declarations.in(RedisConfig.class);
        case HTTP -> Declarations.in(HttpConfig.class);
        case METRICS -> Declarations.in(MetricsConfig.class);
        case LOG -> Declarations.in(LogConfig.class);
        case TIMING -> Declarations.in(TimingConfig.class);
        case RECORDER ->
            Declarations.in(
                RecorderSection.class,
                Leading.class,
                Feed.class,
                Batching.class,
                RequestWork.class);
        case CAPTURE -> Declarations.in(CaptureSection.class);
      };
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The table between its marks. */
    Pattern place() {
      return Pattern.compile(
          "(?s)(?<=<!-- keys:%s -->\n\n).*?(?=\n<!-- end -->)".formatted(word()));
    }
  }

  @BeforeAll
  static void writeThePageIfThatIsAskedFor() throws IOException {
    if (Boolean.getBoolean("docs.write")) {
      String page = Documents.text(PAGE);
      for (Section section : Section.values()) {
        String table = Matcher.quoteReplacement(Declarations.table(section.settings()));
        page = section.place().matcher(page).replaceFirst(table);
      }
      Files.writeString(Documents.path(PAGE), page);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theTableIsWhatIsDeclared(Section section) {
    Matcher written = section.place().matcher(Documents.text(PAGE));

    assertThat(written.find()).as("the page has marks for [%s]", section.word()).isTrue();
    assertThat(written.group())
        .as(HOW, section.word())
        .isEqualTo(Declarations.table(section.settings()));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsDeclaredAsRequiredIsWhatAFileIsToldToAdd(Section section) {
    List<String> required = required();
    for (Setting<?> setting : section.settings()) {
      String unset = setting.explanation().unset();
      boolean told = required.contains(section.word() + " " + setting.key());
      assertThat(unset.equals("required")).as(setting.key()).isEqualTo(told);
      assertThat(unset).as(setting.key()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void valuesAreNeverLeftOut(Section section) {
    assertThat(section.settings()).extracting(Declarations::values).doesNotContain("");
  }

  @Test
  void theLockidsLimitsAreThoseOfItsRule() {
    assertThat(Declarations.values(RecorderSection.LOCKID)).isEqualTo("`1` to `998`");
  }

  /** What a file with nothing but headers is told to add, as {@code section key}. */
  private List<String> required() {
    Pattern missing = Pattern.compile(".*\\[(\\w+)(?::\\w+)?] has no (\\w+);.*");
    return TestIni.findings(folder, "[postgredb]\n[s3]\n[redis]\n[http]\n[recorder:orders]\n")
        .stream()
        .map(missing::matcher)
        .filter(Matcher::matches)
        .map(finding -> finding.group(1) + " " + finding.group(2))
        .toList();
  }
}
