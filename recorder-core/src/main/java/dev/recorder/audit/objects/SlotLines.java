package dev.recorder.audit.objects;

import dev.recorder.handoff.LineFields;
import dev.recorder.slotlog.SlotContent.Extent;
import dev.recorder.slotlog.SlotReader.Content;
import java.util.ArrayList;
import java.util.List;

/** The prints of one slot's lines, in order. */
final class SlotLines {
  private SlotLines() {}

  /**
   * Parses {@code content}.
   *
   * @throws IllegalArgumentException if it does not consist of lines that name a row
   */
  static List<RowPrint> of(Content content, LineFields fields, RowPrints prints) {
    byte[] bytes = content.lines();
    List<RowPrint> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        fields.read(bytes, start, i + 1);
        lines.add(prints.of(fields));
        start = i + 1;
      }
    }
    if (start != bytes.length) {
      throw new IllegalArgumentException("the last line has no end");
    }
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("it is empty");
    }
    return lines;
  }

  /** Returns the extent of {@code lines}, at least one. */
  static Extent extent(List<RowPrint> lines) {
    RowPrint first = lines.get(0);
    RowPrint last = lines.get(lines.size() - 1);
    return new Extent(lines.size(), first.xid(), first.id(), last.xid(), last.id());
  }
}
