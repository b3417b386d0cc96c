package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.recorder.audit.Containment.Comparison;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.testing.Bombs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects that hold more than there is memory for, or than was ever planned for their slots. */
class OversizedObjectsTest {
  private final LogInMemory log = new LogInMemory();
  private final List<Long> asked = new ArrayList<>();

  /** Two slots, of one row each. */
  private void record() {
    log.insert(10, 11);
    log.record("11:11:", 100);
    log.record("12:12:", 100);
  }

  /** The same log, packed, with 4 GiB in its first slot, under the object's own metadata. */
  private ObjectStore packed(LogLayout layout) throws IOException {
    boolean isGzip = layout.compression() == Compression.GZIP;
    for (long slot : new long[] {1, 2}) {
      Body plain = log.objects.get(LogInMemory.LAYOUT.slotKey(slot));
      byte[] packed = isGzip ? gzip(plain.bytes()) : zstd(plain.bytes());
      log.objects.put(layout.slotKey(slot), new Body(packed, plain.metadata()));
    }
    Map<String, String> metadata = log.objects.get(layout.slotKey(1)).metadata();
    byte[] bomb = isGzip ? Bombs.gzip() : Bombs.zstd();
    log.objects.put(layout.slotKey(1), new Body(bomb, metadata));
    return log;
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream packing = new GZIPOutputStream(packed)) {
      packing.write(plain);
    }
    return packed.toByteArray();
  }

  private static byte[] zstd(byte[] plain) {
    return Zstd.compress(plain);
  }

  private static LogLayout layout(Compression compression) {
    return new LogLayout("", "bucket", "prod", LogInMemory.LAYOUT.recorder(), compression);
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void oneThatUnpacksToMoreThanThereIsMemoryIsAFindingWithItsKey(Compression compression)
      throws Exception {
    record();
    LogLayout layout = layout(compression);

    AuditResult verdict = new LogVerifier(packed(layout), layout, log, log).verify(1);

    assertThat(verdict.hashMismatches()).isEqualTo(1);
    assertThat(verdict.findings().get(0))
        .startsWith("slot 1: object " + layout.slotKey(1) + " is damaged")
        .endsWith(
            "it holds more than the %d bytes that were planned for it"
                .formatted(log.plans(1).get(0).bytes()));
  }

  @Test
  void oneThatNothingIsPlannedForIsToo() throws Exception {
    record();
    log.plans.clear();
    LogLayout layout = layout(Compression.ZSTD);

    AuditResult verdict = new LogVerifier(packed(layout), layout, log, log).verify(1);

    assertThat(verdict.findings().get(0)).contains(layout.slotKey(1), "it holds more than");
  }

  @Test
  void rowsAreNotClearedByIt() throws Exception {
    record();
    LogLayout layout = layout(Compression.GZIP);
    packed(layout);

    Comparison compared =
        new Containment(log, layout, log, () -> true, ReadingRoom.UNLIMITED).prove(log, 1);

    assertThat(compared.trouble()).contains(layout.slotKey(1), "it holds more than");
  }

  @Test
  void oneThatHasMoreBytesInTheStoreThanItMayIsNotReadAtAll() throws Exception {
    record();
    String key = LogInMemory.LAYOUT.slotKey(1);
    log.change(1, object -> new Body(new byte[1 << 20], object.metadata()));
    List<Long> limits = new ArrayList<>();
    ObjectStore store =
        new ForwardingReads(log) {
          @Override
          public GetAnswer get(String wanted, long most) {
            limits.add(most);
            return super.get(wanted, most);
          }
        };

    AuditResult verdict = new LogVerifier(store, LogInMemory.LAYOUT, log, log).verify(1);

    assertThat(limits).allSatisfy(most -> assertThat(most).isLessThan(100_000));
    assertThat(verdict.findings().get(0)).contains(key, "that were planned for it");
  }

  /** Nothing says how large it is, so that there is room for one of the usual size at first. */
  @Test
  void aLargeOneWithoutARowInSlotsIsReadOnceThereIsRoomForIt() throws Exception {
    log.handoff.addAll(
        LongStream.rangeClosed(1, 4).mapToObj(id -> LogInMemory.row(id, 10 + id, "{}")).toList());
    HandoffRow large = LogInMemory.row(5, 15, "{\"a\":\"" + "x".repeat(9_000_000) + "\"}");
    log.handoff.add(large);
    Stream.of("12:12:", "13:13:", "14:14:", "15:15:", "16:16:").forEach(to -> log.record(to, 9));
    log.clear(Set.of(0L));
    log.handoff.add(LogInMemory.row((1L << 32) + 1, 20, "{}"));
    log.record("21:21:", 9);
    log.deletePlans(5);

    AuditResult verdict =
        verify(
            bytes -> {
              asked.add(bytes);
              return true;
            });

    assertThat(verdict.findings()).isEmpty();
    long most = Collections.max(asked);
    assertThat(most - asked.get(0)).isGreaterThan(9_000_000);
    assertThatThrownBy(() -> verify(bytes -> bytes < most)).isInstanceOf(UnfinishedException.class);
  }

  private AuditResult verify(ReadingRoom room) throws Exception {
    return new LogVerifier(log, LogInMemory.LAYOUT, log, log, room).verify(1);
  }

  private abstract static class ForwardingReads implements ObjectStore {
    private final ObjectStore to;

    ForwardingReads(ObjectStore to) {
      this.to = to;
    }

    @Override
    public GetAnswer get(String key) {
      throw new AssertionError("wholly, however large it is");
    }

    @Override
    public GetAnswer get(String key, long most) {
      return to.get(key, most);
    }

    @Override
    public HeadAnswer head(String key) {
      return to.head(key);
    }

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      throw new AssertionError("verifying writes nothing");
    }
  }
}
