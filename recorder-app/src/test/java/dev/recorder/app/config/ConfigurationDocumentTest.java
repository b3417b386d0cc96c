package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.docs.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/configuration.md are what the declarations of the keys say. */
class ConfigurationDocumentTest {
  private static final String PAGE = "docs/configuration.md";

  private static final String HOW =
      "what the declarations in dev.recorder.app.config say of [%s]; if they are right,"
          + " mvn -B -ntp -pl recorder-app -am test -Dtest=ConfigurationDocumentTest"
          + " -Ddocs.write=true -Dsurefire.failIfNoSpecifiedTests=false writes the page anew";

  @TempDir private Path folder;

  /** The sections of the file. */
  static Stream<SettingTable> tables() {
    return Stream.concat(
        ConfigReader.TABLES.stream(), Stream.of(RecorderSectionKeys.TABLE, CaptureSection.TABLE));
  }

  private static String word(SettingTable table) {
    return table.section().replace(":", "");
  }

  /** The table between its marks. */
  private static Pattern place(SettingTable table) {
    return Pattern.compile("(?s)(?<=<!-- keys:%s -->\n).*?(?=<!-- end -->)".formatted(word(table)));
  }

  @BeforeAll
  static void writeThePageIfThatIsAskedFor() throws IOException {
    if (Boolean.getBoolean("docs.write")) {
      String page = Documents.text(PAGE);
      for (SettingTable table : tables().toList()) {
        String written = Matcher.quoteReplacement(Declarations.table(table.own()));
        page = place(table).matcher(page).replaceFirst(written);
      }
      Files.writeString(Documents.path(PAGE), page);
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void theTableIsWhatIsDeclared(SettingTable table) {
    Matcher written = place(table).matcher(Documents.text(PAGE));

    assertThat(written.find()).as("the page has marks for [%s]", word(table)).isTrue();
    assertThat(written.group()).as(HOW, word(table)).isEqualTo(Declarations.table(table.own()));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void whatIsDeclaredAsRequiredIsWhatAFileIsToldToAdd(SettingTable table) {
    List<String> required = required();
    for (Setting<?> setting : table.own()) {
      String unset = setting.explanation().unset();
      boolean told = required.contains(word(table) + " " + setting.key());
      assertThat(unset.equals("required")).as(setting.key()).isEqualTo(told);
      assertThat(unset).as(setting.key()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void valuesAreNeverLeftOut(SettingTable table) {
    assertThat(table.own()).extracting(Declarations::values).doesNotContain("");
  }

  @Test
  void theLockidsLimitsAreThoseOfItsRule() {
    assertThat(Declarations.values(RecorderSectionKeys.LOCKID)).isEqualTo("`1` to `998`");
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
