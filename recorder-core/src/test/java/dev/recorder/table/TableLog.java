package dev.recorder.table;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** A log in a bucket, of which a table is made. */
final class TableLog {
  static final UUID LOG = UUID.fromString("11111111-2222-3333-4444-555555555555");
  static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  final MemoryStore bucket = new MemoryStore();
  final LogLayout layout =
      new LogLayout("", "bucket", "prod", new RecorderName("orders"), Compression.GZIP);
  private LogChain chain = LogChain.of(LOG);
  private long nextId = 1;
  private long last;

  TableLog() {
    layout.identity(LOG).claim(bucket);
  }

  long last() {
    return last;
  }

  /** Writes the next slot, of so many rows, read at this time. */
  void write(int rows, Instant readAt) {
    HandoffRow[] content = new HandoffRow[rows];
    for (int i = 0; i < rows; i++) {
      long id = nextId++;
      content[i] =
          new HandoffRow(
              id,
              700 + id,
              1_772_000_000_000_000L + id,
              id % 3 == 0 ? null : "k\"é" + id,
              "{\"amount\": " + id + ".25, \"who\": \"customer " + id + "\"}");
    }
    write(readAt, content);
  }

  void write(Instant readAt, HandoffRow... rows) {
    SlotContentBuilder builder = new SlotContentBuilder(Rotation.DEFAULT, layout.compression());
    for (HandoffRow row : rows) {
      builder.offer(row);
    }
    Window window = new Window(Snapshot.parse("1:1:"), Snapshot.parse("900:900:"), true);
    SlotContent content = builder.build(++last, Origins.of("session"), readAt, window);
    chain = chain.then(content.sha256());
    new SlotStore(bucket, layout, new Term(1, 1, "host-a", LOG)).put(content, chain);
  }

  LogAddress address() {
    return new LogAddress(bucket, layout, LOG);
  }

  LogTable table(TableSettings settings, FileFormat format) {
    return new LogTable(address(), settings, format, "host-a");
  }

  static TableSettings settings(long bytes, String columns) {
    return new TableSettings(
        Duration.ofMinutes(1),
        bytes,
        columns.isEmpty() ? TableColumns.NONE : TableColumns.parse(columns),
        true);
  }
}
