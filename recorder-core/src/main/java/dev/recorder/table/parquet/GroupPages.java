package dev.recorder.table.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputDecompressor;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a row group, in version 1 of the page format. This package writes this version, and
 * other programs do so by default.
 */
final class GroupPages implements PageReadStore {
  private final byte[] file;
  private final BlockMetaData block;

  GroupPages(byte[] file, BlockMetaData block) {
    this.file = file;
    this.block = block;
  }

  @Override
  public long getRowCount() {
    return block.getRowCount();
  }

  @Override
  public PageReader getPageReader(ColumnDescriptor column) {
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      if (Arrays.equals(chunk.getPath().toArray(), column.getPath())) {
        try {
          return new ChunkPages(chunk);
        } catch (IOException e) {
          throw new IllegalArgumentException("a page cannot be read: " + e.getMessage(), e);
        }
      }
    }
    throw new IllegalArgumentException("a group of rows has no column " + column);
  }

  /** The pages of one column. */
  private final class ChunkPages implements PageReader {
    private final Queue<DataPage> pages = new ArrayDeque<>();
    private final long values;
    private @Nullable DictionaryPage dictionary;

    private ChunkPages(ColumnChunkMetaData chunk) throws IOException {
      values = chunk.getValueCount();
      BytesInputDecompressor codec = new Codecs().getDecompressor(chunk.getCodec());
      int from = Math.toIntExact(chunk.getStartingPos());
      int size = Math.toIntExact(chunk.getTotalSize());
      if (from < 0 || size < 0 || size > file.length - from) {
        throw new IllegalArgumentException("a column is cut off");
      }
      ByteArrayInputStream in = new ByteArrayInputStream(file, from, size);
      while (in.available() > 0) {
        PageHeader header = Util.readPageHeader(in);
        byte[] packed = in.readNBytes(header.getCompressed_page_size());
        BytesInput page =
            codec.decompress(BytesInput.from(packed), header.getUncompressed_page_size());
        take(header, page, chunk);
      }
    }

    private void take(PageHeader header, BytesInput page, ColumnChunkMetaData chunk) {
      if (header.isSetDictionary_page_header()) {
        dictionary =
            new DictionaryPage(
                page,
                header.getDictionary_page_header().getNum_values(),
                encoding(header.getDictionary_page_header().getEncoding()));
      } else if (header.isSetData_page_header()) {
        DataPageHeader data = header.getData_page_header();
        pages.add(
            new DataPageV1(
                page,
                data.getNum_values(),
                header.getUncompressed_page_size(),
                Statistics.createStats(chunk.getPrimitiveType()),
                encoding(data.getRepetition_level_encoding()),
                encoding(data.getDefinition_level_encoding()),
                encoding(data.getEncoding())));
      } else {
        throw new IllegalArgumentException("a page is " + header.getType());
      }
    }

    private Encoding encoding(org.apache.parquet.format.Encoding named) {
      return Encoding.valueOf(named.name());
    }

    @Override
    public @Nullable DictionaryPage readDictionaryPage() {
      return dictionary;
    }

    @Override
    public long getTotalValueCount() {
      return values;
    }

    @Override
    public @Nullable DataPage readPage() {
      return pages.poll();
    }
  }
}
