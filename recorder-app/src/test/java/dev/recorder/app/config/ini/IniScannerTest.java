package dev.recorder.app.config.ini;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IniScannerTest {
  private static final List<SettingTable> TABLES = tables();

  private final Findings findings = new Findings(Path.of("x.ini"));

  @ParameterizedTest
  @ValueSource(
      strings = {"[s3]", "  [s3]  ", "[ s3 ]", "[s3] ; comment", "[s3]# [other]", "\t[s3];"})
  void aSectionHeaderMayHaveBlanksAndACommentBehindIt(String header) {
    IniDocument document = IniScanner.scan(header + "\nbucket = b\n", TABLES, findings);

    assertThat(document.section("s3").entry("bucket")).contains(new IniEntry("bucket", 2, "b"));
    assertThat(said()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[s3", "[s3] bucket", "[s3]]", "[[s3]"})
  void aBrokenHeaderIsOneFindingAndItsKeysAreNone(String header) {
    IniScanner.scan("[timing]\n" + header + "\nlease = 1s\nlease = 2s\n", TABLES, findings);

    assertThat(said())
        .containsExactly(
            "x.ini:2: error: the section header is broken;"
                + " help: write [name], with nothing behind it but a comment",
            "x.ini:4: error: lease again, first on line 3; help: keep one of the two lines");
  }

  @Test
  void commentsAndBlankLinesAreSkippedAndLinesStillCountFromOne() {
    IniDocument document =
        IniScanner.scan("; one\n\n  # two\r\n[s3]\r\n\tbucket=b=c\r\n", TABLES, findings);

    assertThat(document.section("s3").line()).isEqualTo(4);
    assertThat(document.section("s3").entry("bucket")).contains(new IniEntry("bucket", 5, "b=c"));
    assertThat(said()).isEmpty();
  }

  @Test
  void aDuplicateKeyIsReportedOnTheLaterLineAndNamesTheEarlier() {
    IniDocument document = IniScanner.scan("[s3]\nbucket = a\nbucket = b\n", TABLES, findings);

    assertThat(said())
        .containsExactly(
            "x.ini:3: error: bucket again, first on line 2; help: keep one of the two lines");
    assertThat(document.section("s3").entry("bucket")).contains(new IniEntry("bucket", 2, "a"));
  }

  // Columns: the lines of a file, with a / between, and what is said of them.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # Host and endpoint are one key of the database.
          [postgredb]/endpoint = a/host = b | 3: error: host (another name of endpoint) again, first on line 2; help: keep one of the two lines
          # Both names of the section are a duplicate.
          [postgresdb]/user = a/[postgredb]/user = b | 3: error: section [postgredb] again, first as [postgresdb] on line 1; help: keep one of them, with the keys of both
          # A recorder that comes twice is a duplicate section.
          [recorder:a]/[recorder:b]/[recorder:a] | 3: error: section [recorder:a] again, first as [recorder:a] on line 1; help: keep one of them, with the keys of both
          # Keys before the first section are reported once.
          a = 1/b = 2/[s3] | 1: error: a key before the first section; help: put it below a header such as [s3]
          # A broken password is reported without its text.
          [postgredb]/password = "hunter2" x | 2: error: password: text after the closing quote; help: write \\" for a quote inside the value, and a comment on a line of its own
          """)
  void whatCannotStandWhereItStandsIsSaid(String lines, String said) {
    IniScanner.scan(lines.replace('/', '\n'), TABLES, findings);

    assertThat(said()).containsExactly("x.ini:" + said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hunter2", "password: hunter2", "= hunter2"})
  void aLineThatIsNothingIsReportedWithoutItsText(String line) {
    IniScanner.scan("[postgredb]\n" + line + "\n", TABLES, findings);

    assertThat(said())
        .containsExactly(
            "x.ini:2: error: neither a section, a key nor a comment;"
                + " help: write key = value, or ; before a comment");
  }

  @Test
  void aControlCharacterIsReported() {
    IniScanner.scan("[s3]\nbucket = a\u0000b\n", TABLES, findings);

    assertThat(said())
        .containsExactly(
            "x.ini:2: error: the line holds a control character; help: write it as plain text");
  }

  @Test
  void aBackslashAtTheEndOfALineDoesNotContinueIt() {
    IniDocument document = IniScanner.scan("[s3]\nprefix = a \\\nbucket = b\n", TABLES, findings);

    assertThat(document.section("s3").entry("prefix")).contains(new IniEntry("prefix", 2, "a \\"));
    assertThat(document.section("s3").entry("bucket")).contains(new IniEntry("bucket", 3, "b"));
  }

  private List<String> said() {
    return findings.inOrder().stream().map(Finding::toString).toList();
  }

  private static List<SettingTable> tables() {
    SettingTable table = new SettingTable("postgredb", "postgresdb");
    table.alsoCalled("host", table.add(Setting.path("endpoint", "a path")));
    return List.of(table);
  }
}
