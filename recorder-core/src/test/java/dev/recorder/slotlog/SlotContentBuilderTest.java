package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.testing.Origins;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SlotContentBuilderTest {
  private static final Snapshot TO = Snapshot.parse("100:100:");
  private static final Window WHOLE = new Window(Snapshot.NOTHING, TO, true);
  private static final Rotation ROOMY = new Rotation(1_000, 1 << 20);

  @Test
  void aSlotIsFullAfterItsMostRows() {
    SlotContentBuilder builder = new SlotContentBuilder(new Rotation(2, 1 << 20), Compression.NONE);

    assertThat(builder.offer(row(1))).isTrue();
    assertThat(builder.offer(row(2))).isTrue();
    assertThat(builder.offer(row(3))).isFalse();
    assertThat(builder.build(1, Origins.of("s"), Origins.READ_AT, WHOLE).extent().rows())
        .isEqualTo(2);
  }

  @Test
  void aSlotIsFullBeforeTheRowThatWouldExceedItsMostBytes() {
    long line = new LineEncoder().encode(row(1)).length;
    SlotContentBuilder builder =
        new SlotContentBuilder(new Rotation(1_000, 2 * line), Compression.NONE);

    assertThat(builder.offer(row(1))).isTrue();
    assertThat(builder.offer(row(2))).isTrue();
    assertThat(builder.offer(row(3))).isFalse();
    assertThat(builder.build(1, Origins.of("s"), Origins.READ_AT, WHOLE).bytes())
        .isEqualTo(2 * line);
  }

  @Test
  void oneRowIsTakenHoweverLarge() {
    SlotContentBuilder builder = new SlotContentBuilder(new Rotation(10, 1), Compression.NONE);

    assertThat(builder.offer(row(1))).isTrue();
    assertThat(builder.offer(row(2))).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void theHashIsOfTheLinesHoweverTheyArePacked(Compression compression) throws Exception {
    SlotContentBuilder builder = new SlotContentBuilder(ROOMY, compression);
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (int i = 1; i <= 100; i++) {
      builder.offer(row(i));
      lines.writeBytes(new LineEncoder().encode(row(i)));
    }

    SlotContent content = builder.build(7, Origins.of("s"), Origins.READ_AT, WHOLE);

    try (InputStream unpacked = compression.unpacking(content.body())) {
      assertThat(unpacked.readAllBytes()).isEqualTo(lines.toByteArray());
    }
    assertThat(content.sha256())
        .isEqualTo(
            HexFormat.of().formatHex(SlotContentBuilder.sha256().digest(lines.toByteArray())));
    assertThat(content.extent()).isEqualTo(new SlotContent.Extent(100, 11, 1, 110, 100));
  }

  @Test
  void rowsOutOfOrderAreABugAndNotRecorded() {
    SlotContentBuilder builder = new SlotContentBuilder(ROOMY, Compression.NONE);
    builder.offer(row(2));

    assertThatThrownBy(() -> builder.offer(row(1))).hasMessageContaining("out of order");
    assertThatThrownBy(() -> builder.offer(row(2))).hasMessageContaining("out of order");
  }

  @Test
  void moreIsLeftExactlyIfTheWindowIsNotUsedUp() {
    assertThat(withWindow(true).more()).isFalse();
    assertThat(withWindow(false).more()).isTrue();
  }

  private static SlotContent withWindow(boolean complete) {
    SlotContentBuilder builder = new SlotContentBuilder(ROOMY, Compression.GZIP);
    builder.offer(row(1));
    return builder.build(
        1, Origins.of("s"), Origins.READ_AT, new Window(Snapshot.NOTHING, TO, complete));
  }

  private static HandoffRow row(int number) {
    return new HandoffRow(number, 10L + number, 0, "k" + number, "{\"n\": " + number + "}");
  }
}
