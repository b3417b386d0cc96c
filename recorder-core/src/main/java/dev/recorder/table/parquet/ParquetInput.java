package dev.recorder.table.parquet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.MessageType;

/**
 * Reads a Parquet file in memory. A fault of the file causes an IllegalArgumentException. Replaces
 * the library's {@code ParquetFileReader}, which needs Hadoop.
 */
final class ParquetInput {
  private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);

  private final byte[] file;
  private final ParquetMetadata footer;

  ParquetInput(byte[] file) {
    this.file = file;
    this.footer = footer(file);
  }

  private static ParquetMetadata footer(byte[] file) {
    int end = file.length - MAGIC.length - Integer.BYTES;
    if (end < MAGIC.length
        || !Arrays.equals(file, file.length - MAGIC.length, file.length, MAGIC, 0, MAGIC.length)) {
      throw new IllegalArgumentException("no Parquet, or cut off");
    }
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    if (length < 0 || length > end - MAGIC.length) {
      throw new IllegalArgumentException("no Parquet: its footer has " + length + " bytes");
    }
    try {
      return new ParquetMetadataConverter()
          .readParquetMetadata(
              new ByteArrayInputStream(file, end - length, length),
              ParquetMetadataConverter.NO_FILTER);
    } catch (IOException | RuntimeException e) {
      throw damaged(e);
    }
  }

  MessageType schema() {
    return footer.getFileMetaData().getSchema();
  }

  /**
   * Reads these columns of all records. Passes each record, as {@code into} returns it, to {@code
   * each}.
   */
  <T> void read(MessageType columns, RecordMaterializer<T> into, Consumer<T> each) {
    MessageColumnIO io = new ColumnIOFactory().getColumnIO(columns, schema());
    for (BlockMetaData block : footer.getBlocks()) {
      RecordReader<T> records = record(io, block, into);
      for (long left = block.getRowCount(); left > 0; left--) {
        each.accept(next(records));
      }
    }
  }

  private <T> RecordReader<T> record(
      MessageColumnIO io, BlockMetaData block, RecordMaterializer<T> into) {
    try {
      return io.getRecordReader(new GroupPages(file, block), into);
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  private static <T> T next(RecordReader<T> records) {
    try {
      return records.read();
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  private static IllegalArgumentException damaged(Exception why) {
    return new IllegalArgumentException("no readable Parquet: " + why.getMessage(), why);
  }
}
