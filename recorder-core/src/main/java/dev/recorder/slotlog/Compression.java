package dev.recorder.slotlog;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The compression of a log's objects. It is part of the log's pinned layout. */
public enum Compression {
  GZIP("ndjson.gz") {
    @Override
    OutputStream packing(OutputStream target) throws IOException {
      // Level 1 is more than twice as fast as level 6, for a tenth more bytes.
      return new GZIPOutputStream(target, 16 * 1024) {
        {
          def.setLevel(Deflater.BEST_SPEED);
        }
      };
    }

    @Override
    public InputStream unpacking(InputStream packed) throws IOException {
      return new GZIPInputStream(packed, 16 * 1024);
    }
  },
  /**
   * Needs {@code com.github.luben:zstd-jni}, an optional dependency. {@link #obstacle()} says
   * whether it is there.
   */
  ZSTD("ndjson.zst") {
    @Override
    OutputStream packing(OutputStream target) throws IOException {
      return Zstd.packing(target);
    }

    @Override
    public InputStream unpacking(InputStream packed) throws IOException {
      return Zstd.unpacking(packed);
    }

    @Override
    public String obstacle() {
      try {
        Zstd.load();
        return "";
      } catch (LinkageError unusable) {
        return unusable instanceof NoClassDefFoundError
            ? "compression zstd needs the library com.github.luben:zstd-jni, which is not on the"
                + " class path; add it"
            : """
            compression zstd needs zstd-jni's native library, which cannot be loaded (%s); it is \
            taken into java.io.tmpdir, %s, which must be writable and not mounted with noexec: \
            name another folder with JAVA_OPTS=-Djava.io.tmpdir=..."""
                .formatted(why(unusable), System.getProperty("java.io.tmpdir"));
      }
    }

    /** Returns the reason without the file's name, which changes with each attempt. */
    private String why(LinkageError unusable) {
      String line = String.valueOf(unusable.getMessage()).lines().findFirst().orElse("");
      return line.substring(line.lastIndexOf(": ") + 1).strip();
    }
  },
  NONE("ndjson") {
    @Override
    OutputStream packing(OutputStream target) {
      return target;
    }

    @Override
    public InputStream unpacking(InputStream packed) {
      return packed;
    }
  };

  private final String extension;

  Compression(String extension) {
    this.extension = extension;
  }

  /** Returns the extension of an object's key, without the dot. */
  public String extension() {
    return extension;
  }

  abstract OutputStream packing(OutputStream target) throws IOException;

  /** Returns a stream of the unpacked bytes. */
  public abstract InputStream unpacking(InputStream packed) throws IOException;

  /** Returns a stream of the unpacked bytes. */
  public final InputStream unpacking(byte[] packed) throws IOException {
    return unpacking(new ByteArrayInputStream(packed));
  }

  /**
   * Returns why this process cannot use this compression, and the remedy; empty if it can. Call
   * this before the first object is packed: an {@link Error} while a slot is built ends the
   * process.
   */
  public String obstacle() {
    return "";
  }

  /**
   * Returns the compression with this name in configuration and pinned layout, such as {@code
   * gzip}.
   */
  public static Compression named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The calls of zstd-jni for {@link #ZSTD}. They are in a class of their own because the library
   * is an optional dependency: a class that names the library's classes cannot be verified without
   * it.
   *
   * <p>The library's buffers are outside of the heap, and are freed when a stream is closed. A
   * packing stream takes 4 MiB, which follows from level and window. An unpacking stream takes at
   * most the window, 2^{@value #MOST_WINDOW} bytes, and about 200 KB.
   */
  private static final class Zstd {
    /** The library's default level, whose objects are smaller than gzip's and packed faster. */
    private static final int LEVEL = 3;

    /**
     * The largest window that a frame may need to be unpacked, as a power of two: 8 MiB. The
     * recorder's own frames need 2 MiB.
     */
    private static final int MOST_WINDOW = 23;

    private Zstd() {}

    /** Packs into one frame with a checksum of its content. */
    static OutputStream packing(OutputStream target) throws IOException {
      ZstdOutputStreamNoFinalizer packing = new ZstdOutputStreamNoFinalizer(target, LEVEL);
      packing.setChecksum(true);
      return packing;
    }

    /** Unpacks one frame, or several in sequence. */
    static InputStream unpacking(InputStream packed) throws IOException {
      ZstdInputStreamNoFinalizer unpacking = new ZstdInputStreamNoFinalizer(packed);
      unpacking.setLongMax(MOST_WINDOW);
      return unpacking;
    }

    /**
     * Loads the library's native part, which the library copies from its jar into a temporary file.
     */
    static void load() {
      Native.load();
    }
  }
}
