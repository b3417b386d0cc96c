package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns, and tables, that are called as what the statements of captures call something. */
class NamesOfOursIT extends WithCaptureSite {
  private static final List<String> NAMES =
      List.of(
          "a b c d e f g h k m n o p q r s t u v w x y",
          "after before by capture change changed chunk compared condition counted entity found"
              + " fingerprint have_changed id_1 ids image is_told is_moved key key_image key_numbers"
              + " kept known log_key made new_rows old_rows one op ordinal part parts payload place"
              + " query quoting \"recorder entity\" \"recorder ids\" root rows seq source \"table\""
              + " tg_op tg_relid told victim c1 c2 c3");

  @BeforeEach
  void create() throws Exception {
    site.run("CREATE TYPE pair AS (seq int, log_key text)");
  }

  private static List<String> columns() {
    return NAMES.stream().flatMap(names -> split(names).stream()).toList();
  }

  /** By blanks, except within quotes. */
  private static List<String> split(String names) {
    return List.of(names.split(" (?=([^\"]*\"[^\"]*\")*[^\"]*$)"));
  }

  private void table(String name, String type) throws Exception {
    site.run(
        "CREATE TABLE %s (id int, %s, PRIMARY KEY (id, key))"
            .formatted(
                name,
                columns().stream()
                    .map(column -> column + " " + type)
                    .collect(Collectors.joining(", "))));
  }

  /** At each isolation level, as one reads the columns of the rows. */
  private void changes(String table, String value) throws Exception {
    for (String level : List.of("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE")) {
      site.run(
          "BEGIN ISOLATION LEVEL " + level,
          "INSERT INTO %s (id, key, x, n) SELECT i, %2$s, %2$s, %2$s FROM generate_series(1, 6) AS i"
              .formatted(table, value),
          "UPDATE %s SET o = x, image = key, x = NULL".formatted(table),
          "UPDATE %s SET id = id + 10 WHERE id < 3".formatted(table),
          "DELETE FROM %s WHERE id = 3".formatted(table),
          "COMMIT");
      Replay.provesEqual(site, new TableName("public", table));
      site.run("DELETE FROM " + table);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "pair"})
  void aColumnIsNoneOfThese(String type) throws Exception {
    String value = type.equals("text") ? "'v'" : "(1, 'v')::public.pair";
    table("plain", type);
    for (OldImage old : OldImage.values()) {
      site.capture("plain", old, !site.changes().isEmpty());
      changes("plain", value);
    }
    site.run("ALTER TABLE plain ADD more text");
    changes("plain", value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "r", "n", "o", "image", "capture", "new_rows", "change", "told"})
  void norIsATable(String name) throws Exception {
    table(name, "text");
    site.capture(name);
    changes(name, "'v'");
    site.run("ALTER TABLE " + name + " ADD more text");
    changes(name, "'v'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "x", "r", "rows", "found", "source"})
  void norIsOneWhoseChangesAskForDocuments(String name) throws Exception {
    String table = '"' + name + '"';
    table(table, "text");
    site.captureEntities(table, "concat(" + String.join(", ", columns()) + ")");
    site.run(
        "BEGIN ISOLATION LEVEL REPEATABLE READ",
        "INSERT INTO %s (id, key, x) SELECT i, 'k', i FROM generate_series(1, 6) AS i"
            .formatted(table),
        "COMMIT");
    assertThat(site.asked()).containsExactly("1k", "2k", "3k", "4k", "5k", "6k");
    site.run(
        "ALTER TABLE " + table + " ADD more text",
        "BEGIN ISOLATION LEVEL SERIALIZABLE",
        "DELETE FROM " + table + " WHERE id = 1",
        "UPDATE " + table + " SET x = 'y' WHERE id = 2",
        "COMMIT");
    assertThat(site.asked()).containsExactlyInAnyOrder("1k", "2k", "yk");
  }
}
