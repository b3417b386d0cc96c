package dev.recorder.table;

import dev.recorder.testing.TestFolder;
import dev.recorder.testing.servers.MemoryStore;
import io.delta.kernel.Scan;
import io.delta.kernel.Snapshot;
import io.delta.kernel.Table;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.types.TimestampType;
import io.delta.kernel.utils.CloseableIterator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Reads a table by a library that is none of this project's. */
final class KernelReader {
  private KernelReader() {}

  /**
   * What it finds.
   *
   * @param rows their columns in a text, with bars between
   * @param files how many there are
   */
  record FoundTable(long version, StructType schema, List<String> rows, int files) {}

  /** Reads the table of a bucket, as files of a folder. */
  static FoundTable read(MemoryStore bucket, TableLayout layout) throws IOException {
    try (TestFolder folder = TestFolder.create("delta")) {
      for (Map.Entry<String, dev.recorder.store.ObjectStore.Body> object :
          bucket.objects().entrySet()) {
        if (object.getKey().startsWith(layout.root())) {
          Path file = folder.path().resolve(object.getKey());
          Files.createDirectories(file.getParent());
          Files.write(file, object.getValue().bytes());
        }
      }
      return read(folder.path().resolve(layout.root()));
    }
  }

  static FoundTable read(Path folder) throws IOException {
    Engine engine = DefaultEngine.create(new Configuration());
    Snapshot snapshot = Table.forPath(engine, folder.toString()).getLatestSnapshot(engine);
    Scan scan = snapshot.getScanBuilder().build();
    Row state = scan.getScanState(engine);
    List<String> rows = new ArrayList<>();
    int files = 0;
    try (CloseableIterator<FilteredColumnarBatch> batches = scan.getScanFiles(engine)) {
      while (batches.hasNext()) {
        try (CloseableIterator<Row> each = batches.next().getRows()) {
          while (each.hasNext()) {
            files++;
            read(engine, state, each.next(), snapshot.getSchema(), rows);
          }
        }
      }
    }
    return new FoundTable(snapshot.getVersion(), snapshot.getSchema(), rows, files);
  }

  private static void read(Engine engine, Row state, Row file, StructType schema, List<String> rows)
      throws IOException {
    CloseableIterator<FileReadResult> physical =
        engine
            .getParquetHandler()
            .readParquetFiles(
                Utils.singletonCloseableIterator(InternalScanFileUtils.getAddFileStatus(file)),
                ScanStateRow.getPhysicalDataReadSchema(state),
                Optional.empty());
    try (CloseableIterator<FilteredColumnarBatch> batches =
        Scan.transformPhysicalData(engine, state, file, physical.map(FileReadResult::getData))) {
      while (batches.hasNext()) {
        try (CloseableIterator<Row> each = batches.next().getRows()) {
          while (each.hasNext()) {
            rows.add(text(each.next(), schema));
          }
        }
      }
    }
  }

  private static String text(Row row, StructType schema) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < schema.length(); i++) {
      values.add(row.isNullAt(i) ? "-" : text(row, i, schema.at(i).getDataType()));
    }
    return String.join("|", values);
  }

  private static String text(Row row, int at, DataType type) {
    if (type instanceof LongType || type instanceof TimestampType) {
      return Long.toString(row.getLong(at));
    } else if (type instanceof DateType) {
      return LocalDate.ofEpochDay(row.getInt(at)).toString();
    } else if (type instanceof DecimalType) {
      return row.getDecimal(at).toPlainString();
    }
    return type instanceof StringType ? row.getString(at) : number(row, at, type);
  }

  private static String number(Row row, int at, DataType type) {
    if (type instanceof IntegerType) {
      return Integer.toString(row.getInt(at));
    } else if (type instanceof DoubleType) {
      return Double.toString(row.getDouble(at));
    }
    return Boolean.toString(row.getBoolean(at));
  }
}
