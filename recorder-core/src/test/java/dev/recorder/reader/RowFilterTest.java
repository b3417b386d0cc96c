package dev.recorder.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.reader.LogReadException.LogReadErrorKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowFilterTest {
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

  @Test
  void letsRowsOfAnyOfItsKeysPass() {
    RowFilter filter = new RowFilter(List.of("a", "c"), null, null);

    assertThat(filter.test(row(NOON, "a"))).isTrue();
    assertThat(filter.test(row(NOON, "c"))).isTrue();
    assertThat(filter.test(row(NOON, "b"))).isFalse();
    assertThat(filter.test(row(NOON, "aa"))).isFalse();
    assertThat(filter.test(row(NOON, null))).isFalse();
  }

  @Test
  void comparesKeysAsTextHoweverTheyAreEscaped() {
    String key = "an \"odd\" \\ key\t\u0001 ümläut 💡";
    RowFilter filter = new RowFilter(List.of(key), null, null);

    assertThat(filter.test(row(NOON, key))).isTrue();
    assertThat(filter.test(line("\"key\":\"an \\u0022odd\\u0022 \\\\ key\\t\\u0001 ümläut 💡\"")))
        .isTrue();
  }

  @Test
  void doesNotTakeAMemberOfThePayloadForTheKey() {
    RowFilter filter = new RowFilter(List.of("a"), null, null);

    assertThat(filter.test(line("\"key\":\"b\",\"payload\":{\"key\":\"a\"}"))).isFalse();
  }

  @Test
  void letsTheEarliestTimePassAndNotTheTimeAtWhichItEnds() {
    RowFilter hour = new RowFilter(List.of(), NOON, NOON.plusSeconds(3600));

    assertThat(hour.test(row(NOON, "a"))).isTrue();
    assertThat(hour.test(row(NOON.minusNanos(1_000), "a"))).isFalse();
    assertThat(hour.test(row(NOON.plusSeconds(3600).minusNanos(1_000), "a"))).isTrue();
    assertThat(hour.test(row(NOON.plusSeconds(3600), null))).isFalse();
  }

  @Test
  void roundsTimesThatAreFinerThanThoseOfRows() {
    Instant between = NOON.plusNanos(1);

    assertThat(new RowFilter(List.of(), between, null).test(row(NOON, "a"))).isFalse();
    assertThat(new RowFilter(List.of(), null, between).test(row(NOON, "a"))).isTrue();
  }

  @Test
  void takesTimesThatNoRowCanHave() {
    RowFilter all = new RowFilter(List.of(), Instant.MIN, Instant.MAX);

    assertThat(all.test(row(NOON, "a"))).isTrue();
    assertThat(new RowFilter(List.of(), Instant.MAX, null).test(row(NOON, "a"))).isFalse();
  }

  @Test
  void refusesALineThatNoRecorderWrites() {
    RowFilter filter = new RowFilter(List.of("a"), null, null);
    byte[] line = "{\"id\":1,\"xid\":2,\"key\":\"a\"}\n".getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> filter.test(LogSlot.of(17, line, null).iterator().next()))
        .isInstanceOfSatisfying(
            LogReadException.class, e -> assertThat(e.kind()).isEqualTo(LogReadErrorKind.DAMAGED))
        .hasMessageContaining("row 17:1");
  }

  private static LogRow row(Instant time, @Nullable String key) {
    long micros = time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    byte[] line = new LineEncoder().encode(new HandoffRow(1, 700, micros, key, "{\"n\":1}"));
    return LogSlot.of(1, line, null).iterator().next();
  }

  private static LogRow line(String rest) {
    String payload = rest.contains("payload") ? "" : ",\"payload\":{}";
    String line = "{\"id\":1,\"xid\":2,\"time\":\"" + NOON + "\"," + rest + payload + "}\n";
    return LogSlot.of(1, line.getBytes(StandardCharsets.UTF_8), null).iterator().next();
  }
}
