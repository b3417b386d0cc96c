package dev.recorder.slotlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** What is promised of objects that end in {@code .ndjson.zst}. */
class ZstdTest {
  private static final byte[] LINES =
      "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n".repeat(99).getBytes(UTF_8);

  @Test
  void anObjectIsOneFrame() throws Exception {
    byte[] packed = packed(LINES);

    assertThat(Zstd.findFrameCompressedSize(packed)).isEqualTo(packed.length);
  }

  @Test
  void severalFramesAreReadAsOne() throws Exception {
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.write(packed("first\n".getBytes(UTF_8)));
    two.write(packed("second\n".getBytes(UTF_8)));

    assertThat(unpacked(two.toByteArray())).asString(UTF_8).isEqualTo("first\nsecond\n");
  }

  @Test
  void aBitThatWasTurnedIsFoundByTheFramesOwnChecksum() throws Exception {
    byte[] packed = packed(LINES);
    packed[packed.length - 1] ^= 1; // of the checksum, which is the frame's end

    assertThatThrownBy(() -> unpacked(packed))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("checksum");
  }

  @Test
  void anObjectThatWasCutOffIsNotReadAsAShorterOne() throws Exception {
    byte[] packed = packed(LINES);

    assertThatThrownBy(() -> unpacked(Arrays.copyOf(packed, packed.length - 7)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aFrameThatAsksForMoreMemoryThanOursIsRefused() throws Exception {
    byte[] random = new byte[17 << 20];
    new Random(1).nextBytes(random);
    ByteArrayOutputStream foreign = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer packing = new ZstdOutputStreamNoFinalizer(foreign, 1)) {
      packing.setLong(24);
      packing.write(random);
    }

    assertThatThrownBy(() -> unpacked(foreign.toByteArray()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("memory");
  }

  @Test
  void aProcessWithoutTheLibraryPacksOtherLogsAndSaysWhatIsMissingForThisOne() throws Exception {
    URL[] ourClassesAlone = {
      Compression.class.getProtectionDomain().getCodeSource().getLocation(),
      NullMarked.class.getProtectionDomain().getCodeSource().getLocation()
    };
    try (URLClassLoader without =
        new URLClassLoader(ourClassesAlone, ClassLoader.getPlatformClassLoader())) {
      Class<?> there = without.loadClass(Compression.class.getName());
      Object gzip = there.getMethod("named", String.class).invoke(null, "gzip");
      Object zstd = there.getMethod("named", String.class).invoke(null, "zstd");
      Method packing = there.getDeclaredMethod("packing", OutputStream.class);
      packing.setAccessible(true);
      Method obstacle = there.getMethod("obstacle");

      assertThat(packing.invoke(gzip, new ByteArrayOutputStream())).isNotNull();
      assertThat(obstacle.invoke(gzip)).isEqualTo("");
      assertThat(obstacle.invoke(zstd)).asString().contains("zstd-jni", "class path");
    }
    assertThat(Compression.ZSTD.obstacle()).isEmpty();
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream packing = Compression.ZSTD.packing(packed)) {
      packing.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    return Compression.ZSTD.unpacking(packed).readAllBytes();
  }
}
