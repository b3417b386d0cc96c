package dev.recorder.table.parquet;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compresses and decompresses pages. Replaces the library's own factory, which needs Hadoop. Other
 * programs' checkpoints may be uncompressed.
 */
final class Codecs implements CompressionCodecFactory {
  private static final int LEVEL = 3;

  private static byte[] all(BytesInput bytes) throws IOException {
    return bytes.toInputStream().readAllBytes();
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    if (codec != CompressionCodecName.ZSTD) {
      throw new IllegalArgumentException("pages are not packed with " + codec);
    }
    return new BytesInputCompressor() {
      @Override
      public BytesInput compress(BytesInput bytes) throws IOException {
        return BytesInput.from(Zstd.compress(all(bytes), LEVEL));
      }

      @Override
      public CompressionCodecName getCodecName() {
        return CompressionCodecName.ZSTD;
      }

      @Override
      public void release() {}
    };
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    if (codec != CompressionCodecName.ZSTD && codec != CompressionCodecName.UNCOMPRESSED) {
      throw new IllegalArgumentException("pages that are packed with " + codec + " are not read");
    }
    return new BytesInputDecompressor() {
      @Override
      public BytesInput decompress(BytesInput bytes, int size) throws IOException {
        if (codec == CompressionCodecName.UNCOMPRESSED) {
          return bytes;
        }
        byte[] packed = all(bytes);
        if (Zstd.getFrameContentSize(packed) != size) { // else any size could be allocated
          throw new IOException("a page has not the size that it says");
        }
        return BytesInput.from(Zstd.decompress(packed, size));
      }

      @Override
      public void decompress(ByteBuffer packed, int packedSize, ByteBuffer plain, int plainSize)
          throws IOException {
        byte[] bytes = new byte[packedSize];
        packed.get(bytes);
        plain.put(all(decompress(BytesInput.from(bytes), plainSize)));
      }

      @Override
      public void release() {}
    };
  }

  @Override
  public void release() {}
}
