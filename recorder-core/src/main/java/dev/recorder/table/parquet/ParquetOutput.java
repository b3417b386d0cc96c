package dev.recorder.table.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;

/**
 * Writes a Parquet file in memory. Replaces the library's {@code ParquetWriter}, which refers to a
 * class of Hadoop where it has to be subclassed.
 */
final class ParquetOutput {
  /** Bytes of rows, before encoding, after which a row group is compressed and written. */
  private static final long ROW_GROUP = 16 << 20;

  private static final int PAGE = 1 << 20;

  private final MessageType schema;
  private final MemoryFile file = new MemoryFile();
  private final ParquetProperties properties =
      ParquetProperties.builder()
          .withPageSize(PAGE)
          .withDictionaryPageSize(PAGE)
          .withWriterVersion(ParquetProperties.WriterVersion.PARQUET_1_0)
          .withMinRowCountForPageSizeCheck(1) // A single row may be very large.
          .build();
  private final ParquetFileWriter writer;
  private ColumnChunkPageWriteStore pages;
  private ColumnWriteStore columns;
  private RecordConsumer consumer;
  private long rows;
  private long raw;

  ParquetOutput(MessageType schema) {
    this.schema = schema;
    try {
      writer =
          new ParquetFileWriter(
              file,
              schema,
              ParquetFileWriter.Mode.CREATE,
              Long.MAX_VALUE,
              0,
              ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH,
              ParquetProperties.DEFAULT_STATISTICS_TRUNCATE_LENGTH,
              true);
      writer.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    pages = newPages();
    columns = properties.newColumnWriteStore(schema, pages);
    consumer = new ColumnIOFactory().getColumnIO(schema).getRecordWriter(columns);
  }

  private ColumnChunkPageWriteStore newPages() {
    return new ColumnChunkPageWriteStore(
        new Codecs().getCompressor(CompressionCodecName.ZSTD),
        schema,
        new HeapByteBufferAllocator(),
        ParquetProperties.DEFAULT_COLUMN_INDEX_TRUNCATE_LENGTH,
        true);
  }

  /** Writes one record of {@code bytes} bytes. */
  void write(Consumer<RecordConsumer> fields, long bytes) {
    consumer.startMessage();
    fields.accept(consumer);
    consumer.endMessage();
    rows++;
    raw += bytes;
    if (raw >= ROW_GROUP) {
      endGroup();
      pages = newPages();
      columns = properties.newColumnWriteStore(schema, pages);
      consumer = new ColumnIOFactory().getColumnIO(schema).getRecordWriter(columns);
    }
  }

  private void endGroup() {
    try {
      consumer.flush();
      writer.startBlock(rows);
      columns.flush();
      pages.flushToFileWriter(writer);
      writer.endBlock();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      columns.close();
      pages.close();
    }
    rows = 0;
    raw = 0;
  }

  long bytes() {
    return file.size() + raw;
  }

  byte[] finish() {
    try {
      if (rows > 0) {
        endGroup();
      }
      writer.end(Map.of());
      return file.content.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The memory to which the file is written. */
  private static final class MemoryFile implements OutputFile {
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    private long size() {
      return content.size();
    }

    @Override
    public PositionOutputStream create(long blockSizeHint) {
      return new PositionOutputStream() {
        @Override
        public long getPos() {
          return size();
        }

        @Override
        public void write(int each) {
          content.write(each);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
          content.write(bytes, from, length);
        }
      };
    }

    @Override
    public PositionOutputStream createOrOverwrite(long blockSizeHint) {
      return create(blockSizeHint);
    }

    @Override
    public boolean supportsBlockSize() {
      return false;
    }

    @Override
    public long defaultBlockSize() {
      return 0;
    }
  }
}
