package dev.recorder.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlTest {
  @Test
  void aParameterIsBoundWhereverItsNameStands() {
    Sql sql = Sql.of("SELECT :a, :a2 WHERE :a = x");

    assertThat(sql.text()).isEqualTo("SELECT ?, ? WHERE ? = x");
    assertThat(sql.places("a")).isEqualTo(List.of(1, 3));
    assertThat(sql.places("a2")).isEqualTo(List.of(2));
  }

  @Test
  void aPieceBringsItsOwnPiecesAndParameters() {
    Sql sql =
        Sql.of(
            "UPDATE t SET x = :x{ours}",
            Map.of("ours", " WHERE id = :id AND {alive}", "alive", "alive"));

    assertThat(sql.text()).isEqualTo("UPDATE t SET x = ? WHERE id = ? AND alive");
    assertThat(sql.places("id")).isEqualTo(List.of(2));
  }

  @Test
  void aPieceThatIsNotGivenIsATableOfOurs() {
    assertThat(Sql.in(new SchemaNames("c", "h"), "SELECT FROM {slots}, {t}", Map.of("t", "h.t")))
        .hasToString("SELECT FROM c.slots, h.t");
    assertThatThrownBy(() -> Sql.of("SELECT FROM {slots}")).hasMessageContaining("{slots}");
  }

  @Test
  void castsAssignmentsAndQuotedTextAreLeftAlone() {
    Sql sql = Sql.of("SELECT ':a {b} ?', \":c\", :d::text, n := 1, '12:30'::time, x[1:2]");

    assertThat(sql.text())
        .isEqualTo("SELECT ':a {b} ?', \":c\", ?::text, n := 1, '12:30'::time, x[1:2]");
    assertThat(sql.parameters()).containsExactly("d");
  }

  @Test
  void whatIsNotWholeIsRefused() {
    assertThatThrownBy(() -> Sql.of("SELECT ?")).hasMessageContaining("without a name");
    assertThatThrownBy(() -> Sql.of("SELECT 'it")).hasMessageContaining("no closing '");
    assertThatThrownBy(() -> Sql.of("SELECT {x")).hasMessageContaining("no closing }");
    assertThatThrownBy(() -> Sql.of("SELECT 1").places("x")).hasMessageContaining(":x");
  }
}
