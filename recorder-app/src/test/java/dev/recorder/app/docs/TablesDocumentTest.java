package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/tables.md has the columns that the output of recorder schema creates, and no other. */
class TablesDocumentTest {
  private static final Pattern TABLE =
      Pattern.compile("(?s)CREATE TABLE IF NOT EXISTS (\\w+\\.\\w+) \\(\n(.*?)\n\\)");
  private static final Pattern COLUMN = Pattern.compile("(?m)^  ([a-z][a-z0-9_]*) ");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final String LOCKS = "## Tables of locks";

  static Stream<Arguments> tables() {
    return Stream.of(
        table("recorder.info_recorders", "## recorder.info_recorders"),
        table("recorder.lock_recorders", "## recorder.lock_recorders"),
        table("recorder.incumbents", "## recorder.incumbents"),
        table("recorder.slots", "## recorder.slots"),
        table("recorder.exclusions", "## recorder.exclusions"),
        table("recorder.blocks", "## recorder.blocks"),
        table("recorder.takeovers", "## recorder.takeovers"),
        table("recorder.conditions", "## recorder.conditions"),
        table("recorder.pauses", "## recorder.pauses"),
        table("recorder.operator_orders", "## recorder.operator_orders"),
        table("recorder.verdicts", "## recorder.verdicts"),
        table("recorder.lost_races", "## recorder.lost_races"),
        table("recorder.lock_name", LOCKS),
        table("recorder.lock_mutex", LOCKS),
        table("recorder.lock_timeout", LOCKS),
        table("recorder.lock_task", LOCKS),
        table("handoff.orders", "### Of a log"),
        table("handoff.accounts", "### Of requests"));
  }

  private static Arguments table(String name, String mark) {
    return Arguments.of(name, mark);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tables")
  void thePageHasEveryColumnAndNoOther(String table, String mark) {
    assertThat(mark.equals(LOCKS) ? lockColumns(table) : documented(mark))
        .containsExactlyInAnyOrderElementsOf(created().getOrDefault(table, List.of()));
  }

  @Test
  void noTableIsLeftOut() {
    assertThat(tables().map(table -> table.get()[0]))
        .containsExactlyInAnyOrderElementsOf(created().keySet());
  }

  private static List<String> documented(String mark) {
    return Documents.tableBehind(mark, Documents.text("docs/tables.md")).stream()
        .flatMap(row -> names(row.get(0)))
        .toList();
  }

  /** From the one table of all locks; a row without tables is of those that the row above names. */
  private static List<String> lockColumns(String table) {
    List<String> columns = new ArrayList<>();
    List<String> owners = List.of();
    for (List<String> row : Documents.tableBehind(LOCKS, Documents.text("docs/tables.md"))) {
      owners = row.get(0).isEmpty() ? owners : names(row.get(0)).toList();
      if (owners.contains(table.replace("recorder.", ""))) {
        names(row.get(1)).forEach(columns::add);
      }
    }
    return columns;
  }

  private static Stream<String> names(String cell) {
    return NAME.matcher(cell).results().map(name -> name.group(1));
  }

  /** Columns by table; {@code schema_info}, which stands in one line, is not among them. */
  private static Map<String, List<String>> created() {
    List<HandoffTable> handoff =
        List.of(
            new HandoffTable(new RecorderName("orders"), RecorderKind.LOG, 1_000),
            new HandoffTable(new RecorderName("accounts"), RecorderKind.REQUESTS, 1_000));
    String script = new Schema(SchemaNames.DEFAULT).script("recorder", handoff);
    return TABLE
        .matcher(script)
        .results()
        .collect(Collectors.toMap(table -> table.group(1), table -> columns(table.group(2))));
  }

  private static List<String> columns(String body) {
    return COLUMN.matcher(body).results().map(column -> column.group(1)).toList();
  }
}
