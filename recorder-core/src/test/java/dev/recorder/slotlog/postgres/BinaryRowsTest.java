package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A row as a COPY in binary sends it. */
class BinaryRowsTest {
  /** The largest there is stands for a line that cannot be read. */
  @ParameterizedTest
  @CsvSource({
    "0, 946684800000000",
    "9222425352054775805, 9223372036854775805",
    "9223371331199999999, 9223372036854775806",
    "9223372036854775807, 9223372036854775806"
  })
  void aTimeThatNoLongHoldsIsTheLatestNotLongAgo(long sent, long read) {
    BinaryRows rows = new BinaryRows();
    rows.read(message(sent));
    assertThat(rows.row().timeMicros()).isEqualTo(read);
  }

  private static byte[] message(long time) {
    ByteBuffer bytes = ByteBuffer.allocate(200);
    bytes.position(19); // signature, flags, length of an extension
    bytes.putShort((short) 6);
    for (long number : new long[] {1, 2, time}) {
      bytes.putInt(Long.BYTES).putLong(number);
    }
    bytes.putInt(-1).putInt(-1).putInt(2).put((byte) '{').put((byte) '}');
    return bytes.array();
  }
}
