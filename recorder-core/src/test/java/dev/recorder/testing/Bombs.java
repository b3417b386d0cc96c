package dev.recorder.testing;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** A few bytes that unpack to 4 GiB, which no array holds. */
public final class Bombs {
  private static final int PART = 32 << 20;
  private static final int PARTS = 128;

  private Bombs() {}

  /** As gzip: members that stand behind one another are one stream. */
  public static byte[] gzip() throws IOException {
    ByteArrayOutputStream one = new ByteArrayOutputStream();
    try (OutputStream packing = new GZIPOutputStream(one)) {
      packing.write(new byte[PART]);
    }
    return repeated(one.toByteArray());
  }

  /** As zstd: so are frames. */
  public static byte[] zstd() {
    return repeated(Zstd.compress(new byte[PART]));
  }

  private static byte[] repeated(byte[] part) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < PARTS; i++) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
