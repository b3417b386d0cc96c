package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.value.Secret;
import java.io.StringReader;
import java.nio.file.Path;
import org.apache.commons.configuration2.INIConfiguration;
import org.apache.commons.configuration2.SubnodeConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Why the file is not parsed by commons-configuration2. Each test shows a trap on the library
 * itself, then that it is closed here. When the first half fails, the library has changed: look
 * again.
 */
class CommonsTrapsTest {
  @TempDir private Path folder;

  @Test
  void aCommentBehindAHeaderDoesNotMakeItAKey() throws Exception {
    assertThat(library("[s3] ; store\nbucket = b\n").getSections()).doesNotContain("s3");

    String text = TestIni.minimal(folder).text().replace("[s3]", "[s3] ; store = here");
    assertThat(load(text).recorders().get(0).s3().get(S3Config.BUCKET)).isEqualTo("bucket");
  }

  @Test
  void aSemicolonInAValueDoesNotCutIt() throws Exception {
    assertThat(library("[s3]\nx = a ;b\n").getSection("s3").getString("x")).isEqualTo("a");
    assertThat(library("[s3]\nx = a #b\n").getSection("s3").getString("x")).isEqualTo("a");

    TestIni.minimal(folder)
        .with("postgredb", "password = a ;b")
        .says(
            "password = a ;b",
            "error: password: a ; or # after a blank in a value without quotes;"
                + " help: put a comment on a line of its own, or the value in quotes");
    assertThat(password("\"a ;b #c\"")).isEqualTo("a ;b #c");
  }

  @Test
  void textBehindAQuoteIsNotDroppedSilently() throws Exception {
    assertThat(library("[s3]\nx = \"a\" b\n").getSection("s3").getString("x")).isEqualTo("a");

    assertThat(TestIni.minimal(folder).with("postgredb", "password = \"a\" b").findings())
        .hasSize(1)
        .allMatch(finding -> finding.contains("text after the closing quote"));
  }

  @Test
  void aVariableIsNotExpandedThoughTheRootAloneWouldNotPreventIt() throws Exception {
    INIConfiguration library = library("[s3]\nx = ${const:java.lang.Integer.MAX_VALUE}\n");
    library.setInterpolator(null);
    assertThat(library.getSection("s3").getString("x")).isEqualTo("2147483647");

    String written = "${const:java.lang.Integer.MAX_VALUE} ${env:HOME} ${sys:user.home}";
    assertThat(password(written)).isEqualTo(written);
    assertThat(password('"' + written + '"')).isEqualTo(written);
  }

  @Test
  void duplicatesAreNotMergedSilently() throws Exception {
    SubnodeConfiguration merged = library("[s3]\nx = 1\n[s3]\nx = 2\n").getSection("s3");
    assertThat(merged.getList("x")).hasSize(2);

    TestIni ini = TestIni.minimal(folder);
    assertThat(TestIni.findings(folder, ini.text() + "[s3]\nprefix = p\n"))
        .hasSize(1)
        .allMatch(
            finding ->
                finding.contains(
                    "section [s3] again, first as [s3] on line " + ini.line("[s3]") + ";"));
  }

  @Test
  void anAbsentSectionDoesNotReadAsAnEmptyOne() throws Exception {
    assertThat(library("").getSection("postgredb").isEmpty()).isTrue();

    assertThat(TestIni.minimal(folder).without("postgredb").findings())
        .containsExactly(
            "1: error: section [postgredb] is missing;"
                + " help: write it, with endpoint, database and user below it");
  }

  @Test
  void aBackslashAtTheEndDoesNotSwallowTheNextLine() throws Exception {
    assertThat(library("[s3]\nx = a \\\ny = b\n").getSection("s3").getString("y")).isNull();

    assertThat(password("a \\")).isEqualTo("a \\");
  }

  /** No trap in this version, but the library's own names of properties give these a meaning. */
  @Test
  void aBracketOrADotInANameIsNotAPath() {
    for (String name :
        new String[] {"recorder:a(1)", "recorder:a.b", "recorder:a..b", "recorder:.a"}) {
      assertThat(TestIni.minimal(folder).with(name, "lockid = x").findings())
          .as(name)
          .anyMatch(finding -> finding.contains("lockid = x is not a whole number"));
    }
  }

  @Test
  void aCommaDoesNotSplitAValueAndAPasswordMayHoldAnything() throws Exception {
    assertThat(password("a,b;c#d$e'f=g:h")).isEqualTo("a,b;c#d$e'f=g:h");
    assertThat(password("\" ;#$,'=: \\\" \\ \\\\\"")).isEqualTo(" ;#$,'=: \" \\ \\");
  }

  private String password(String written) throws ConfigException {
    String text = TestIni.minimal(folder).with("postgredb", "password = " + written).text();
    Secret password = load(text).database().password();
    return password == null ? "none" : password.reveal();
  }

  private RecorderConfig load(String text) throws ConfigException {
    return ConfigFile.load(TestIni.write(folder, text), TestIni.HERE);
  }

  private static INIConfiguration library(String text) throws Exception {
    INIConfiguration configuration = new INIConfiguration();
    configuration.read(new StringReader(text));
    return configuration;
  }
}
