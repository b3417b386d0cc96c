package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.table.KernelReader.FoundTable;
import dev.recorder.table.parquet.ParquetFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tables as Delta's own library reads them. */
class LogTableTest {
  private static final String COLUMNS = "amount:$.amount decimal(18,2), who:$.who string";

  private final TableLog log = new TableLog();
  private final TableLayout layout = TableLayout.of(log.layout);

  private LogTable.TableProgress update(LogTable table) throws TableException {
    return table.bringUpTo(1, log.last(), () -> true, bytes -> true);
  }

  private LogTable table() {
    return log.table(TableLog.settings(32 << 20, COLUMNS), new ParquetFormat());
  }

  /** As the library should read ids from 1 on. */
  private static List<String> expected(long slot, long from, long to, String day) {
    List<String> rows = new ArrayList<>();
    for (long id = from; id <= to; id++) {
      rows.add(
          "%d|%d|%d|%s|{\"amount\": %d.25, \"who\": \"customer %d\"}|%d|%s|%d.25|customer %d"
              .formatted(
                  id,
                  700 + id,
                  1_772_000_000_000_000L + id,
                  id % 3 == 0 ? "-" : "k\"é" + id,
                  id,
                  id,
                  slot,
                  day,
                  id,
                  id));
    }
    return rows;
  }

  @Test
  void allRowsAreReadBackEachOnceAndByDay() throws Exception {
    log.write(3, TableLog.NOON);
    log.write(2, TableLog.NOON.plusSeconds(60));
    log.write(4, TableLog.NOON.plus(Duration.ofHours(12)));

    assertThat(update(table()).covered()).isEqualTo(3);

    FoundTable found = KernelReader.read(log.bucket, layout);
    List<String> all = new ArrayList<>(expected(1, 1, 3, "2026-03-01"));
    all.addAll(expected(2, 4, 5, "2026-03-01"));
    all.addAll(expected(3, 6, 9, "2026-03-02"));
    assertThat(found.rows()).containsExactlyInAnyOrderElementsOf(all);
    assertThat(found.files()).isEqualTo(2);
  }

  @Test
  void whoeverComesLaterGoesOnBehindTheLastSlotThatIsIn() throws Exception {
    LogTable one = table();
    LogTable other = table();
    log.write(3, TableLog.NOON);
    update(one);
    log.write(2, TableLog.NOON);
    update(other);
    log.write(1, TableLog.NOON);

    assertThat(update(one).covered()).isEqualTo(3);

    assertThat(KernelReader.read(log.bucket, layout).rows()).hasSize(6).doesNotHaveDuplicates();
    assertThat(update(other).version()).isEqualTo(3);
  }

  @Test
  void aLateTableIsMadeOfFilesOfBoundedSize() throws Exception {
    for (int slot = 0; slot < 20; slot++) {
      log.write(10, TableLog.NOON);
    }
    LogTable table = log.table(TableLog.settings(4_000, ""), new ParquetFormat());

    update(table);

    FoundTable found = KernelReader.read(log.bucket, layout);
    assertThat(found.rows()).hasSize(200).doesNotHaveDuplicates();
    assertThat(found.files()).isBetween(5, 19);
  }

  @Test
  void aFileEndsEarlyWhereThereIsNoRoom() throws Exception {
    for (int slot = 0; slot < 3; slot++) {
      log.write(10, TableLog.NOON);
    }

    table().bringUpTo(1, log.last(), () -> true, bytes -> false);

    assertThat(KernelReader.read(log.bucket, layout).files()).isEqualTo(3);
  }

  @Test
  void whatDoesNotFitItsColumnIsNullAndCounted() throws Exception {
    log.write(
        TableLog.NOON,
        new HandoffRow(1, 701, 5, "k", "{\"amount\":1.234,\"who\":[1]}"),
        new HandoffRow(2, 702, 6, "k", "{\"amount\":\"12.5\"}"),
        new HandoffRow(3, 703, 7, "k", "7"));

    LogTable.TableProgress progress = update(table());

    assertThat(progress.misfits()).isEqualTo(1);
    assertThat(KernelReader.read(log.bucket, layout).rows())
        .containsExactlyInAnyOrder(
            "1|701|5|k|{\"amount\":1.234,\"who\":[1]}|1|2026-03-01|-|[1]",
            "2|702|6|k|{\"amount\":\"12.5\"}|1|2026-03-01|12.50|-",
            "3|703|7|k|7|1|2026-03-01|-|-");
  }

  @Test
  void aColumnThatIsAddedIsNullInOlderFiles() throws Exception {
    log.write(1, TableLog.NOON);
    update(log.table(TableLog.settings(1 << 20, ""), new ParquetFormat()));
    log.write(1, TableLog.NOON);

    update(table());

    assertThat(KernelReader.read(log.bucket, layout).rows())
        .anyMatch(row -> row.endsWith("|1|2026-03-01|-|-"))
        .anyMatch(row -> row.endsWith("|2|2026-03-01|2.25|customer 2"));
  }

  @Test
  void aColumnThatIsAnotherUnderItsNameIsRefused() throws Exception {
    log.write(1, TableLog.NOON);
    update(table());
    log.write(1, TableLog.NOON);
    LogTable changed =
        log.table(TableLog.settings(1 << 20, "amount:$.amount bigint"), new ParquetFormat());

    assertThatThrownBy(() -> update(changed))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("give the new one another name");
  }

  @Test
  void slotsThatHaveExpiredAreLeftOutAndCounted() throws Exception {
    log.write(1, TableLog.NOON);
    update(table());
    log.write(1, TableLog.NOON);
    log.write(1, TableLog.NOON);
    log.bucket.delete(log.layout.slotKey(2));

    LogTable.TableProgress progress = table().bringUpTo(3, log.last(), () -> true, bytes -> true);

    assertThat(progress.skipped()).isEqualTo(1);
    assertThat(KernelReader.read(log.bucket, layout).rows()).hasSize(2);
  }

  @Test
  void aTableOfAnotherLogIsLeftAlone() throws Exception {
    log.write(1, TableLog.NOON);
    update(table());
    LogTable anothers =
        new LogTable(
            new LogAddress(log.bucket, log.layout, new UUID(7, 7)),
            TableLog.settings(1, ""),
            new ParquetFormat(),
            "host-b");

    assertThatThrownBy(() -> anothers.bringUpTo(1, 1, () -> true, bytes -> true))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("another log has this place");
  }

  @Test
  void aTableOfManyCommitsIsReadFromItsCheckpoint() throws Exception {
    for (int slot = 0; slot < 250; slot++) {
      log.write(1, TableLog.NOON);
    }
    LogTable table = log.table(TableLog.settings(1, COLUMNS), new ParquetFormat());
    update(table);
    assertThat(log.bucket.objects().keySet())
        .contains(layout.checkpointKey(100), layout.checkpointKey(200));
    for (int version = 0; version < 200; version++) {
      log.bucket.delete(layout.commitKey(version)); // Nobody needs them any more.
    }

    FoundTable found = KernelReader.read(log.bucket, layout);

    assertThat(found.rows()).hasSize(250).doesNotHaveDuplicates();
    log.write(1, TableLog.NOON);
    assertThat(update(log.table(TableLog.settings(1, COLUMNS), new ParquetFormat())).covered())
        .isEqualTo(251);
    assertThat(KernelReader.read(log.bucket, layout).version()).isEqualTo(251);
  }

  @Test
  void aCheckpointThatCannotBeReadCostsReadsUnlessCommitsAreGone() throws Exception {
    for (int slot = 0; slot < 101; slot++) {
      log.write(1, TableLog.NOON);
    }
    update(log.table(TableLog.settings(1, ""), new ParquetFormat()));
    log.bucket.overwrite(layout.checkpointKey(100), "snappy".getBytes(UTF_8), Map.of());
    log.write(1, TableLog.NOON);

    LogTable.TableProgress next = update(log.table(TableLog.settings(1, ""), new ParquetFormat()));
    assertThat(next.covered()).isEqualTo(102);
    assertThat(KernelReader.read(log.bucket, layout).rows()).hasSize(102).doesNotHaveDuplicates();

    // It has written another checkpoint by now.
    log.bucket.overwrite(layout.checkpointKey(next.version()), "lz4".getBytes(UTF_8), Map.of());
    log.bucket.delete(layout.commitKey(0));
    assertThatThrownBy(() -> update(log.table(TableLog.settings(1, ""), new ParquetFormat())))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("last checkpoint");
  }

  /** Many small files on each of two days, and a third day that goes on. */
  private LogTable threeDays() throws TableException {
    LogTable table = table();
    for (int hour = 0; hour < 60; hour += 6) {
      log.write(3, TableLog.NOON.plus(Duration.ofHours(hour)));
      update(table);
    }
    return table;
  }

  private long objects(String path) {
    return log.bucket.objects().keySet().stream().filter(key -> key.contains(path)).count();
  }

  @Test
  void smallFilesOfADayThatIsOverBecomeOneWithTheSameRows() throws Exception {
    threeDays();

    FoundTable found = KernelReader.read(log.bucket, layout);
    assertThat(found.rows()).hasSize(30).doesNotHaveDuplicates();
    assertThat(found.files()).isEqualTo(1 + 1 + 4);
    assertThat(objects("day=2026-03-01/")).isEqualTo(2 + 1);
    assertThat(new TableProof(log.address(), new ParquetFormat()).run(1).orElseThrow())
        .satisfies(
            verdict -> {
              assertThat(verdict.findings()).isEmpty();
              assertThat(verdict.rows()).isEqualTo(30);
              assertThat(verdict.covered()).isEqualTo(10);
            });
  }

  @Test
  void twoWhoMergeTheSameFilesLeaveEachRowOnce() throws Exception {
    LogTable stale = table();
    update(stale); // Knows the table before there is a file in it.
    threeDays();
    update(stale);
    update(table());

    assertThat(KernelReader.read(log.bucket, layout).rows()).hasSize(30).doesNotHaveDuplicates();
  }

  @Test
  void aMergeThatWouldLoseARowIsRefused() throws Exception {
    LogTable losing =
        log.table(TableLog.settings(32 << 20, COLUMNS), new LosingFormat(new ParquetFormat()));
    log.write(3, TableLog.NOON);
    update(losing);
    log.write(3, TableLog.NOON);
    update(losing);
    log.write(3, TableLog.NOON.plus(Duration.ofDays(1)));

    assertThatThrownBy(() -> update(losing))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("do not have the rows");
    assertThat(KernelReader.read(log.bucket, layout).rows()).hasSize(9);
  }

  @Test
  void theProofNamesAFileThatIsMissingOrHasOtherRows() throws Exception {
    threeDays();
    List<String> files =
        log.bucket.objects().keySet().stream()
            .filter(key -> key.contains("day=2026-03-03/"))
            .toList();
    log.bucket.delete(files.get(0));
    log.bucket.overwrite(files.get(1), log.bucket.objects().get(files.get(2)).bytes(), Map.of());

    assertThat(new TableProof(log.address(), new ParquetFormat()).run(1).orElseThrow().findings())
        .anyMatch(fault -> fault.matches("table: file day=2026-03-03/.* is missing"))
        .anyMatch(
            fault -> fault.matches("table: file day=2026-03-03/.* has not the rows of slot .*"))
        .allMatch(fault -> fault.contains("day=2026-03-03/"));
  }

  @Test
  void theProofNamesSlotsThatAreInNoFileOrInTwo() throws Exception {
    threeDays();
    long version = KernelReader.read(log.bucket, layout).version();
    DeltaState state = new TableReading(TablePlace.of(log.address()), new ParquetFormat()).latest();
    List<TableFile> files =
        state.files().stream()
            .map(add -> TableFile.of(state.columns(), add).orElseThrow())
            .toList();
    TableFile first = files.stream().filter(f -> f.firstSlot() == 1).findFirst().orElseThrow();
    TableFile last = files.stream().filter(f -> f.lastSlot() == 10).findFirst().orElseThrow();
    TableFile again = new TableFile("other.parquet", last.day(), 1, 1, 9, 10, 1, 1, last.sum());
    log.bucket.putIfAbsent(
        layout.commitKey(version + 1),
        (first.remove(state.columns(), 1) + "\n" + again.add(state.columns(), 1, true) + "\n")
            .getBytes(UTF_8),
        Map.of());

    assertThat(new TableProof(log.address(), new ParquetFormat()).run(1).orElseThrow().findings())
        .contains("table: slots 1 to 2 are in no file of the table")
        .anyMatch(fault -> fault.contains("are in more than one file"));
  }

  /** Reads all rows but the first of a file. */
  private record LosingFormat(FileFormat format) implements FileFormat {
    @Override
    public RowFile begin(TableColumns columns) {
      return format.begin(columns);
    }

    @Override
    public void read(byte[] file, TableColumns columns, Consumer<TableRow> sink) {
      int[] rows = {0};
      format.read(
          file,
          columns,
          row -> {
            if (rows[0]++ > 0) {
              sink.accept(row);
            }
          });
    }

    @Override
    public byte[] checkpoint(List<ObjectNode> actions) {
      return format.checkpoint(actions);
    }

    @Override
    public List<ObjectNode> readCheckpoint(byte[] file) {
      return format.readCheckpoint(file);
    }
  }
}
