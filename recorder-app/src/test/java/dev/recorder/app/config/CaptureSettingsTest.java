package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code capture = …} of a log, and the sections {@code [capture:RECORDER/TABLE]}. */
class CaptureSettingsTest {
  @TempDir private Path folder;

  private TestIni listing(String tables) {
    return TestIni.minimal(folder).with("recorder:orders", "capture = " + tables);
  }

  @Test
  void tablesAreListedAndThoseWithASectionHaveItsOptions() {
    RecorderConfig config =
        listing("account, Shop.Order_Line, public.\"Order; Line\"")
            .with(
                "capture:orders/public.account",
                "columns = id, Name",
                "when = name <> ''",
                "key = \"'k/' || id\"",
                "old = changed")
            .with("capture:orders/\"public\".\"Order; Line\"", "except = picture")
            .load();

    assertThat(config.warnings()).isEmpty();
    assertThat(captures(config))
        .extracting(CaptureSection::table, CaptureSection::options)
        .containsExactly(
            tuple(
                new TableName("public", "account"),
                new CaptureOptions(
                    new ColumnChoice(List.of("id", "Name"), List.of()),
                    "name <> ''",
                    "'k/' || id",
                    OldImage.CHANGED)),
            tuple(new TableName("shop", "order_line"), CaptureOptions.USUAL),
            tuple(
                new TableName("public", "Order; Line"),
                new CaptureOptions(
                    new ColumnChoice(List.of(), List.of("picture")), null, null, OldImage.KEY)));
  }

  @Test
  void whatIsInEffectIsAFileThatSaysTheSame() {
    RecorderConfig config =
        listing("a, \"B c\".d")
            .with("capture:orders/a", "when = x = 'it''s'", "old = none")
            .with("capture:orders/\"B c\".d", "key = id", "except = p, q")
            .load();

    Path again = TestIni.write(folder, config.effective());

    assertThat(TestIni.findings(again, TestIni.HERE)).isEmpty();
    assertThat(config.effective())
        .contains("capture = public.a, \"B c\".d\n", "[capture:orders/\"B c\".d]\n");
  }

  @Test
  void hostsThatCaptureOtherwiseAreToldWhichSectionDiffers() {
    RecorderConfig one = listing("a").load();
    RecorderConfig other = listing("a").with("capture:orders/a", "old = all").load();

    assertThat(one.configHash()).isNotEqualTo(other.configHash());
    assertThat(other.sectionHashes()).containsKey("capture:orders/public.a");
    assertThat(listing("public.a").load().configHash()).isEqualTo(one.configHash());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a b | capture = a b is not a list of tables; help: write schema.table, with commas"
            + " between, each part in double quotes if it has other than small letters, digits"
            + " and _",
        "public.a, b, A | capture = public.a, b, A has table public.a twice; help: write"
            + " schema.table, with commas between, each part in double quotes if it has other than"
            + " small letters, digits and _",
      })
  void aListThatIsNoneIsRefused(String tables, String said) {
    listing(tables)
        .with("capture:orders/whatever", "old = all")
        .says("capture = " + tables, "error: " + said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "capture:orders/b | [recorder:orders] does not list table public.b; help: add public.b to"
            + " its key capture, or leave the section out",
        "capture:order/a | there is no [recorder:order] for [capture:order/a]; help: write"
            + " [capture:RECORDER/TABLE] with the name of a recorder of this file",
        "capture:orders | [capture:orders] names no table of a recorder; help: write"
            + " [capture:RECORDER/schema.table], as in its list",
        "capture:orders/a b | [capture:orders/a b] names no table of a recorder; help: write"
            + " [capture:RECORDER/schema.table], as in its list",
        "captures:orders/a | unknown section [captures:orders/a]; help: did you mean"
            + " [capture:RECORDER/TABLE]?",
      })
  void aSectionThatIsForNoListedTableIsRefused(String section, String said) {
    listing("a").with(section, "old = all").says("[" + section + "]", "error: " + said);
  }

  @Test
  void aTableHasOneSection() {
    TestIni ini =
        listing("a").with("capture:orders/a", "old = all").with("capture:orders/Public.A", "");

    ini.says(
        "[capture:orders/Public.A]",
        "error: table public.a of recorder orders again, first as [capture:orders/a] on line "
            + ini.line("[capture:orders/a]")
            + "; help: keep one of the sections, with the keys of both");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "entity = id | entity is for documents, and recorder orders has kind = log; help: leave the"
            + " key out, or list the table in a recorder of kind requests",
        "olds = all | unknown key olds in [capture:orders/a]; help: did you mean old?",
        "old = some | old = some is not one of none, key, changed, all; help: write one of none,"
            + " key, changed, all",
        "columns = a,,b | columns = a,,b has a column without a name; help: write names of columns,"
            + " with commas between",
        "except = a, a | except = a, a has a column twice; help: write names of columns, with"
            + " commas between",
        "when = a; b | when = a; b has a semicolon: one expression is wanted; help: write a"
            + " condition of SQL over the row's columns",
        "key = (a | key = (a has a '(' that is not closed; help: write an expression of SQL over"
            + " the row's columns",
      })
  void anOptionThatIsNoneIsRefused(String line, String said) {
    listing("a").with("capture:orders/a", line).says(line, "error: " + said);
  }

  @Test
  void columnsAndExceptAreNotGivenTogether() {
    listing("a")
        .with("capture:orders/a", "columns = b", "except = c")
        .says(
            "except = c", "error: columns and except cannot both be given; help: keep one of them");
  }

  @Test
  void aChangedFileTakesEffectWithoutARestart() {
    RecorderConfig running = listing("a").load();
    RecorderConfig fresh = listing("b, a").with("capture:orders/a", "old = all").load();

    Reload reload = Reload.of(running, fresh);

    assertThat(reload.needsRestart()).isEmpty();
    assertThat(captures(reload.config())).isEqualTo(captures(fresh));
    assertThat(captures(Reload.of(fresh, TestIni.minimal(folder).load()).config())).isEmpty();
  }

  @Test
  void moreSectionsThanAThousandAreRefusedAtOnce() {
    StringBuilder text = new StringBuilder(listing("a").text());
    for (int i = 0; i <= 1_000; i++) {
      text.append("[capture:orders/t%d]\n".formatted(i));
    }

    assertThat(TestIni.findings(folder, text.toString()))
        .singleElement()
        .asString()
        .endsWith("error: more than 1000 sections [capture:...]; help: leave out what is none");
  }

  private static List<CaptureSection> captures(RecorderConfig config) {
    return config.recorder("orders").orElseThrow().captures();
  }
}
