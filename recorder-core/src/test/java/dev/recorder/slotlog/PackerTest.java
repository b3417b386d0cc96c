package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.time.ByteQueue;
import dev.recorder.time.NamedThreadFactory;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PackerTest {
  @Test
  void whatIsPackedBesideIsWhatWasAppendedAndHasItsHash() throws Exception {
    byte[] line = "{\"id\":1,\"xid\":742,\"payload\":{}}\n".getBytes(StandardCharsets.UTF_8);
    int lines = 50_000;
    ExecutorService threads = Executors.newSingleThreadExecutor(new NamedThreadFactory("packing"));
    MessageDigest whole = MessageDigest.getInstance("SHA-256");
    try (Packer packer = new Packer(Compression.GZIP, ByteQueue.Threads.of(threads))) {
      for (int i = 0; i < lines; i++) {
        packer.append(line, 0, line.length);
        whole.update(line);
      }

      byte[] packed = packer.end();

      assertThat(packer.sha256()).isEqualTo(HexFormat.of().formatHex(whole.digest()));
      try (InputStream unpacked = Compression.GZIP.unpacking(packed)) {
        assertThat(unpacked.readAllBytes()).hasSize(lines * line.length);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
