package dev.recorder.app.bench;

import dev.recorder.app.harness.TestProgram;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.testing.Origins;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What each compression makes of the same rows, and how fast: rows of 200 bytes and of 1.2 KB of
 * JSON, with words, numbers and random identifiers, packed into slots by the product's own builder
 * (line, hash, packing; one thread, no database and no store) and unpacked again. Speeds are by the
 * processor's time, so that they mean something on a busy machine. Arguments: rounds (20), of which
 * the median counts.
 */
public final class PackingBenchmark {
  private static final int[] ROW_BYTES = {200, 1_200};
  private static final int SLOT_BYTES = 8 << 20;
  private static final Window WINDOW =
      new Window(Snapshot.parse("1:1:"), Snapshot.parse("900:900:"), true);
  private static final String[] WORDS =
      """
      order customer invoice shipped paid pending returned street avenue north south blue green \
      small large express standard gift note please deliver before noon ring twice leave at door \
      warehouse aisle shelf carton pallet weight fragile insured signature required second floor\
      """
          .split("\\s+");

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final int rounds;

  private PackingBenchmark(int rounds) {
    this.rounds = rounds;
  }

  public static void main(String[] arguments) {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    TestProgram.run("benchmark", new PackingBenchmark(rounds)::run);
  }

  private boolean run() throws IOException {
    Map<String, Object> line = Machinery.line();
    for (int rowBytes : ROW_BYTES) {
      List<HandoffRow> rows = rows(rowBytes);
      for (Compression compression : Compression.values()) {
        line.put(rowBytes + "_" + compression, measure(rows, rowBytes, compression));
      }
    }
    return Machinery.print(line);
  }

  private Map<String, Object> measure(List<HandoffRow> rows, int rowBytes, Compression compression)
      throws IOException {
    List<Double> packing = new ArrayList<>();
    List<Double> unpacking = new ArrayList<>();
    SlotContent content = pack(rows, compression);
    for (int round = 0; round < rounds; round++) {
      long begun = threads.getCurrentThreadCpuTime();
      content = pack(rows, compression);
      long packed = threads.getCurrentThreadCpuTime();
      compression.unpacking(content.body()).readAllBytes();
      packing.add(content.bytes() / ((packed - begun) / 1e3));
      unpacking.add(content.bytes() / ((threads.getCurrentThreadCpuTime() - packed) / 1e3));
    }
    Map<String, Object> figures = new TreeMap<>();
    figures.put("percent", Machinery.tenths(100.0 * content.body().length / content.bytes()));
    figures.put("packed_mb_s", Math.round(Machinery.median(packing)));
    figures.put("unpacked_mb_s", Math.round(Machinery.median(unpacking)));
    System.out.printf(
        Locale.ROOT, "%d bytes, %s: %s of %d rows%n", rowBytes, compression, figures, rows.size());
    return figures;
  }

  private static SlotContent pack(List<HandoffRow> rows, Compression compression) {
    Rotation rotation = new Rotation(Integer.MAX_VALUE, Long.MAX_VALUE);
    try (SlotContentBuilder slot = new SlotContentBuilder(rotation, compression)) {
      rows.forEach(slot::offer);
      return slot.build(1, Origins.of("session"), Origins.READ_AT, WINDOW);
    }
  }

  /** As many as fill a slot. */
  private static List<HandoffRow> rows(int bytes) {
    Random random = new Random(bytes);
    List<HandoffRow> rows = new ArrayList<>();
    for (int id = 1; id <= SLOT_BYTES / bytes; id++) {
      StringBuilder payload = new StringBuilder();
      payload.append("{\"order\": ").append(4_000_000 + id);
      payload.append(", \"customer\": \"").append(Long.toHexString(random.nextLong()));
      payload.append("\", \"amount\": ").append(random.nextInt(100_000) / 100.0);
      payload.append(", \"note\": \"");
      while (payload.length() < bytes - 90) {
        payload.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
      }
      payload.append("\"}");
      String key = "account/" + random.nextInt(10_000);
      rows.add(
          new HandoffRow(id, 700 + id / 10, 1_700_000_000_000_000L + id * 731L, key, "" + payload));
    }
    return rows;
  }
}
