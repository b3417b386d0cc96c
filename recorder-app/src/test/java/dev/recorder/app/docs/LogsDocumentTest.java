package dev.recorder.app.docs;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.logs.AppEvent;
import dev.recorder.logging.LogEvent;
import dev.recorder.logging.NamedEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of docs/logs.md is that of the events which the sources declare and log. */
class LogsDocumentTest {
  /** A field of such a name would take the place of what every line has. */
  private static final Set<String> OF_EVERY_LINE =
      Set.of("time", "level", "event", "message", "logger", "thread", "error", "stack");

  private record Row(String event, String level, List<String> fields, String when) {
    static Row of(String line) {
      String[] cells = line.split("\\|", -1);
      List<String> fields =
          Arrays.stream(cells[3].replace("`", "").split(","))
              .map(String::strip)
              .filter(field -> !field.isEmpty())
              .toList();
      return new Row(cells[1].replace("`", "").strip(), cells[2].strip(), fields, cells[4].strip());
    }
  }

  @Test
  void eachEventHasItsRowWithItsFieldsAndEachRowItsEvent() {
    List<String> declared =
        events().map(event -> event.getName() + " " + shown(event.fields())).toList();

    assertThat(rows().stream().map(row -> row.event() + " " + row.fields()))
        .containsExactlyInAnyOrderElementsOf(declared);
    assertThat(rows()).extracting(Row::when).doesNotContain("");
  }

  @Test
  void theLevelIsThatOfTheStatements() {
    Map<String, Set<String>> logged =
        LogStatement.all().stream()
            .collect(
                groupingBy(
                    statement -> statement.event().toLowerCase(Locale.ROOT),
                    mapping(LogStatement::level, toSet())));
    Map<String, String> written = rows().stream().collect(toMap(Row::event, Row::level));

    assertThat(written.values()).containsOnly("ERROR", "WARN", "INFO", "DEBUG");
    logged.forEach(
        (event, levels) -> assertThat(levels).as(event).containsExactly(written.get(event)));
  }

  /** What is declared and never told would be waited for in vain. */
  @Test
  void eachEventIsLogged() {
    Pattern constant = Pattern.compile("\\b(?:LogEvent|AppEvent)\\.\\w+");
    Set<String> used =
        LogStatement.sources().stream()
            .flatMap(source -> constant.matcher(Documents.text(source)).results())
            .map(MatchResult::group)
            .collect(toSet());

    assertThat(events().map(event -> event.getClass().getSimpleName() + "." + event.name()))
        .allMatch(used::contains);
  }

  /** An argument without a name would not be in the JSON, nor one with another's name. */
  @Test
  void eachArgumentOfAStatementHasItsFieldAndFieldsWithoutAPlaceComeLast() {
    Map<String, Integer> fields =
        events().collect(toMap(NamedEvent::name, event -> event.fields().size()));

    assertThat(LogStatement.all()).hasSizeGreaterThan(80);
    assertThat(LogStatement.all())
        .filteredOn(statement -> !statement.event().equals("BUG"))
        .allSatisfy(
            statement -> {
              int named = fields.get(statement.event());
              assertThat(statement.places()).as(statement.where()).isLessThanOrEqualTo(named);
              // One more is the exception.
              assertThat(statement.arguments()).as(statement.where()).isBetween(named, named + 1);
            });
  }

  @Test
  void namesCanBeAskedForInAnyLanguageAndHideNothing() {
    assertThat(events().map(NamedEvent::getName)).doesNotHaveDuplicates();
    assertThat(events().flatMap(event -> event.fields().stream()))
        .allMatch(field -> field.matches("[a-z][a-z_]*|" + NamedEvent.NO_FIELD))
        .doesNotContainAnyElementsOf(OF_EVERY_LINE);
  }

  private static List<String> shown(List<String> fields) {
    return fields.stream().filter(field -> !field.equals(NamedEvent.NO_FIELD)).toList();
  }

  private static Stream<NamedEvent> events() {
    return Stream.concat(Arrays.stream(LogEvent.values()), Arrays.stream(AppEvent.values()));
  }

  private static List<Row> rows() {
    return Documents.text("docs/logs.md")
        .lines()
        .dropWhile(line -> !line.equals("<!-- events -->"))
        .takeWhile(line -> !line.equals("<!-- end -->"))
        .filter(line -> line.startsWith("| `"))
        .map(Row::of)
        .toList();
  }
}
