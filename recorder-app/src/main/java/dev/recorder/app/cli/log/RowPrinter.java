package dev.recorder.app.cli.log;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.recorder.reader.LogRow;
import dev.recorder.reader.LogSlot;
import dev.recorder.reader.RowFilter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes the rows that pass, and has written all of a slot's when it returns. For one thread. */
final class RowPrinter {
  private static final int BUFFER = 64 * 1024;

  private final OutputStream out;
  private final RowFilter filter;
  private final boolean positions;

  /**
   * @param positions whether to write before each row where to go on behind it, and a tab
   */
  RowPrinter(OutputStream out, RowFilter filter, boolean positions) {
    this.out = new BufferedOutputStream(out, BUFFER);
    this.filter = filter;
    this.positions = positions;
  }

  void print(LogSlot slot) throws IOException {
    if (filter.passesAll() && !positions) {
      slot.writeTo(out);
    } else {
      for (LogRow row : slot) {
        print(row);
      }
    }
    out.flush();
  }

  private void print(LogRow row) throws IOException {
    if (!filter.passesAll() && !filter.test(row)) {
      return;
    }
    if (positions) {
      out.write((row.next() + "\t").getBytes(US_ASCII));
    }
    row.writeTo(out);
  }
}
