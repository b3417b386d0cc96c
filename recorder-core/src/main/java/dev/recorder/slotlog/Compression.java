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

  /** A stream of what was packed. */
  public abstract InputStream unpacking(InputStream packed) throws IOException;

  /** A stream of what was packed. */
  public final InputStream unpacking(byte[] packed) throws IOException {
    return unpacking(new ByteArrayInputStream(packed));
  }

  /**
   * Why this process can neither pack nor unpack so, and the remedy; empty if it can. Ask this
   * before the first object is packed: an {@link Error} mid-slot ends a machine.
   */
  public String obstacle() {
    return "";
  }

  /** The value under its name in configuration and in the pinned layout, such as {@code gzip}. */
  public static Compression named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What zstd-jni does for {@link #ZSTD}, in a class apart: the library is an optional dependency,
   * and a class that names its classes cannot be verified without it.
   *
   * <p>Its buffers are outside of the heap, and given back when a stream is closed: 4 MiB for one
   * that packs, which follow from level and window, and at most the window, {@value #MOST_WINDOW}
   * as a power of two, and some 200 KB for one that unpacks.
   */
  private static final class Zstd {
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
}
