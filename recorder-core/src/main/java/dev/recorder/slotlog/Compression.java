package dev.recorder.slotlog;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** How an object's bytes are packed; part of a log's pinned layout. */
public enum Compression {
  GZIP("ndjson.gz") {
    @Override
    OutputStream packing(OutputStream target) throws IOException {
      // Level 1: 193 MB/s a core against 77 at level 6, for a tenth more bytes.
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
  /** Needs {@code com.github.luben:zstd-jni}, an optional dependency: {@link #obstacle()}. */
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

    /** Without the file's name, which is another each time, and would be news each time. */
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

  /** The end of an object's key, without the dot before it. */
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
}
