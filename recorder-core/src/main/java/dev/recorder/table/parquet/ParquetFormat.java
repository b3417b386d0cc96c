package dev.recorder.table.parquet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.table.FileFormat;
import dev.recorder.table.TableColumns;
import dev.recorder.table.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.schema.MessageType;

/** Parquet files, compressed with zstd. The same rows give the same bytes. Thread-safe. */
public final class ParquetFormat implements FileFormat {

  @Override
  public RowFile begin(TableColumns columns) {
    MessageType schema = RowSchema.of(columns);
    ParquetOutput output = new ParquetOutput(schema);
    RowWriting rows = new RowWriting(schema);
    return new RowFile() {
      @Override
      public void add(TableRow row) {
        output.write(consumer -> rows.write(consumer, row), row.bytes());
      }

      @Override
      public long bytes() {
        return output.bytes();
      }

      @Override
      public byte[] finish() {
        return output.finish();
      }
    };
  }

  @Override
  public void read(byte[] file, TableColumns columns, Consumer<TableRow> sink) {
    ParquetInput input = new ParquetInput(file);
    RowReading reading = new RowReading(columns, RowSchema.within(columns, input.schema()));
    input.read(reading.schema(), reading, sink);
  }

  @Override
  public byte[] checkpoint(List<ObjectNode> actions) {
    ParquetOutput output = new ParquetOutput(CheckpointSchema.SCHEMA);
    for (ObjectNode action : actions) {
      output.write(
          consumer -> JsonSink.write(consumer, CheckpointSchema.SCHEMA, action),
          action.size()); // The page size limits pages.
    }
    return output.finish();
  }

  @Override
  public List<ObjectNode> readCheckpoint(byte[] file) {
    ParquetInput input = new ParquetInput(file);
    MessageType schema = CheckpointSchema.within(input.schema());
    List<ObjectNode> actions = new ArrayList<>();
    input.read(schema, new JsonReading(schema), actions::add);
    return actions;
  }
}
