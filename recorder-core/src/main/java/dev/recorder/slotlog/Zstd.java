package dev.recorder.slotlog;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What zstd-jni does for {@link Compression#ZSTD}, apart from it: the library is an optional
 * dependency, and a class that names its classes cannot be verified without it.
 *
 * <p>Its buffers are outside of the heap, and given back when a stream is closed: 4 MiB for one
 * that packs, which follow from level and window, and at most the window, {@value #MOST_WINDOW} as
 * a power of two, and some 200 KB for one that unpacks.
 */
final class Zstd {
  /** The library's own default: smaller than gzip's objects, and packed faster. */
  private static final int LEVEL = 3;

  /** 8 MiB: what a frame may ask for to be unpacked. Ours ask for 2 MiB. */
  private static final int MOST_WINDOW = 23;

  private Zstd() {}

  /** One frame with a checksum of its content. */
  static OutputStream packing(OutputStream target) throws IOException {
    ZstdOutputStreamNoFinalizer packing = new ZstdOutputStreamNoFinalizer(target, LEVEL);
    packing.setChecksum(true);
    return packing;
  }

  /** One frame or several, one behind the other. */
  static InputStream unpacking(InputStream packed) throws IOException {
    ZstdInputStreamNoFinalizer unpacking = new ZstdInputStreamNoFinalizer(packed);
    unpacking.setLongMax(MOST_WINDOW);
    return unpacking;
  }

  /** Loads the library's native part, which it takes out of its jar into a temporary file. */
  static void load() {
    Native.load();
  }
}
