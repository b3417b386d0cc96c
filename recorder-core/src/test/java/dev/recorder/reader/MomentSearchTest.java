package dev.recorder.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.WindowPart;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MomentSearchTest {
  private static final UUID LOG = new UUID(1, 2);
  private static final Instant BEGIN = Instant.parse("2026-01-02T00:00:00Z");
  private static final LogLayout LAYOUT =
      new LogLayout("", "bucket", "prod", new RecorderName("orders"), Compression.NONE);

  private final CountedStore store = new CountedStore();
  private final MomentSearch search = MomentSearch.of(store, LAYOUT, LOG);

  /** Counts HEADs. */
  private static final class CountedStore implements ObjectStore {
    private final MemoryStore objects = new MemoryStore();
    private int heads;

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      return objects.putIfAbsent(key, body, metadata);
    }

    @Override
    public HeadAnswer head(String key) {
      heads++;
      return objects.head(key);
    }

    @Override
    public GetAnswer get(String key) {
      return objects.get(key);
    }
  }

  /** Slot n was read n minutes later, and ends a window of its own: transactions below 10 n. */
  private void slots(long first, long last) {
    for (long slot = first; slot <= last; slot++) {
      slot(slot, minute(slot), new WindowPart("w" + (slot - 1), 10 * slot + ".w" + slot, true));
    }
  }

  private void slot(long slot, @Nullable Instant readAt, @Nullable WindowPart window) {
    ObjectMetadata metadata =
        new ObjectMetadata(
            "orders", LOG, slot, 1, "host-a", 1, "sha", LogChain.of(LOG), null, window, readAt);
    Map<String, String> map = new HashMap<>(metadata.asMap());
    store.putIfAbsent(LAYOUT.slotKey(slot), new byte[0], map);
  }

  private static Instant minute(long minute) {
    return BEGIN.plus(Duration.ofMinutes(minute));
  }

  private long at(Instant time) {
    return search.firstNotBefore(new LogMoment.TimeOfDatabase(time), 1);
  }

  @Test
  void aTimeIsFoundWithFewRequests() {
    slots(1, 5_000);

    assertThat(at(minute(1))).isEqualTo(1);
    assertThat(at(minute(1).plusNanos(1))).isEqualTo(2);
    assertThat(at(minute(5_000))).isEqualTo(5_000);
    assertThat(at(minute(5_001))).isEqualTo(5_001);
    store.heads = 0;
    MomentSearch settled = MomentSearch.upTo(5_000, store, LAYOUT, LOG);
    assertThat(settled.firstNotBefore(new LogMoment.TimeOfDatabase(minute(3_210)), 1))
        .isEqualTo(3_210);
    assertThat(store.heads).isLessThan(15);
  }

  @Test
  void aSlotBehindTheLogsEndIsItsEnd() {
    slots(1, 20);

    assertThat(
            MomentSearch.upTo(20, store, LAYOUT, LOG)
                .firstNotBefore(new LogMoment.SlotBegin(Long.MAX_VALUE), 1))
        .isEqualTo(21);
    assertThat(search.firstNotBefore(new LogMoment.SlotBegin(7), 1)).isEqualTo(7);
    assertThat(search.firstNotBefore(new LogMoment.SlotBegin(1), 1)).isEqualTo(1);
  }

  @Test
  void aWindowEndsWithTheSlotThatSaysSoOrWhereTheNextOneBegins() {
    Window first = new Window(Snapshot.parse("1:1:"), Snapshot.parse("9:9:"), false);
    Window last = new Window(Snapshot.parse("1:1:"), Snapshot.parse("9:9:"), true);
    Window open = new Window(Snapshot.parse("9:9:"), Snapshot.parse("20:20:"), false);
    Window next = new Window(Snapshot.parse("20:20:"), Snapshot.parse("30:30:"), false);
    slot(1, minute(1), WindowPart.of(first));
    slot(2, minute(2), WindowPart.of(last));
    slot(3, minute(3), WindowPart.of(open));
    slot(4, minute(4), WindowPart.of(next));

    assertThat(search.lastWindowBefore(2, 1)).isEmpty();
    assertThat(search.lastWindowBefore(3, 1)).map(ObjectMetadata::slot).contains(2L);
    assertThat(search.lastWindowBefore(4, 1)).map(ObjectMetadata::slot).contains(3L);
    assertThat(search.lastWindowBefore(5, 1)).map(ObjectMetadata::slot).contains(3L);
  }

  @Test
  void anObjectThatDoesNotSayWhenItWasReadIsNamed() {
    slot(1, null, null);

    assertThatThrownBy(() -> at(minute(1)))
        .isInstanceOf(LogReadException.class)
        .hasMessageContaining(LAYOUT.slotKey(1) + " in bucket bucket does not say when")
        .hasMessageContaining("name a slot instead");
  }

  @Test
  void aTransactionIsTheFirstOfItsNumberThoughAnotherServerCountsAnew() {
    WrittenLog log = new WrittenLog(new MemoryStore(), Compression.NONE);
    MomentSearch transactions = MomentSearch.upTo(6, log, log.layout, WrittenLog.LOG);
    SlotContent.Origin before = Origins.of("session");
    SlotContent.Origin after =
        new SlotContent.Origin("session", new DatabaseIdentity("moved", 8, 9, 1));
    long[] ended = {100, 200, 300, 60, 200, 400};
    for (int slot = 1; slot <= ended.length; slot++) {
      long last = ended[slot - 1] - 1;
      SlotContent.Origin origin = slot <= 3 ? before : after;
      log.write(slot, WrittenLog.LOG, origin, last + 1, new HandoffRow(slot, last, 1, "k", "{}"));
    }

    assertThat(transactions.firstNotBefore(new LogMoment.TransactionBegin(59), 1)).isEqualTo(4);
    assertThat(transactions.firstNotBefore(new LogMoment.TransactionBegin(199), 1)).isEqualTo(2);
    assertThat(transactions.firstNotBefore(new LogMoment.TransactionBegin(199), 3)).isEqualTo(5);
    assertThat(transactions.firstNotBefore(new LogMoment.TransactionBegin(399), 1)).isEqualTo(6);
    assertThatThrownBy(() -> transactions.firstNotBefore(new LogMoment.TransactionBegin(298), 1))
        .isInstanceOf(LogReadException.class)
        .hasMessageContaining("it wrote none, or is recorded before, or not yet");
  }

  @Test
  void aMissingObjectIsNoEndOfTheLogWhereThatIsKnown() {
    slots(1, 3);
    slots(5, 6);
    MomentSearch settled = MomentSearch.upTo(6, store, LAYOUT, LOG);

    assertThat(settled.firstNotBefore(new LogMoment.SlotBegin(6), 1)).isEqualTo(6);
    assertThat(settled.firstNotBefore(new LogMoment.SlotBegin(9), 1)).isEqualTo(7);
    assertThatThrownBy(() -> settled.firstNotBefore(new LogMoment.TimeOfDatabase(minute(6)), 1))
        .isInstanceOf(LogReadException.class)
        .hasMessageContaining(LAYOUT.slotKey(4) + " in bucket bucket is missing");
    assertThatThrownBy(() -> settled.lastWindowBefore(5, 1))
        .isInstanceOf(LogReadException.class)
        .hasMessageContaining("is missing");
  }

  @Test
  void aTimeIsReadAsTheCommandsPrintIt() {
    assertThat(LogMoment.parse("2026-01-02 00:03:00Z"))
        .isEqualTo(LogMoment.parse("2026-01-02T01:03:00+01:00"))
        .isEqualTo(new LogMoment.TimeOfDatabase(minute(3)));
  }

  @Test
  void whereTheClockWasSetBackOneOfThePlacesIsFound() {
    slots(1, 10);
    for (long slot = 11; slot <= 30; slot++) {
      slot(slot, minute(slot - 8), null);
    }

    long found = at(minute(8));

    assertThat(found).isIn(8L, 16L);
  }
}
