package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SlotStoreTest {
  private static final UUID LOG = new UUID(1, 2);
  private static final ObjectStore.Unclear TOO_LARGE =
      new ObjectStore.Unclear("413", false, RefusalCause.TOO_LARGE);

  private final MemoryStore bucket = new MemoryStore();
  private final LogLayout layout =
      new LogLayout("", "bucket", "p", new RecorderName("orders"), Compression.GZIP);
  private final SlotStore slots = of(bucket, LOG);

  @Test
  void aSlotThatWasPutIsFoundWithWhatItsWriterSaid() {
    SlotContent content = content(3);

    assertThat(slots.put(content, Origins.CHAIN)).isEqualTo(new Event.PutCreated());
    assertThat(slots.look(3))
        .isEqualTo(
            new Event.Found(
                new ObjectMetadata(
                    "orders",
                    LOG,
                    3,
                    9,
                    "host-a",
                    1,
                    content.sha256(),
                    Origins.CHAIN,
                    Origins.DATABASE,
                    WindowPart.of(content.window()),
                    Origins.READ_AT)));
  }

  @Test
  void aSlotThatWasPlannedBeforeIsWrittenWithTheWindowOfThatPlan() {
    Window planned = new Window(Snapshot.NOTHING, Snapshot.parse("4:4:"), false);
    Window readLater = new Window(Snapshot.NOTHING, Snapshot.parse("9:9:"), true);

    slots.put(content(3, readLater).under(planned), Origins.CHAIN);

    assertThat(found(3).window()).isEqualTo(WindowPart.of(planned));
  }

  @Test
  void anObjectThatWasCopiedWithoutItsWindowHasNone() {
    ObjectMetadata earlier =
        new ObjectMetadata(
            "orders", LOG, 3, 9, "host-a", 1, "x", Origins.CHAIN, null, null, Origins.READ_AT);
    bucket.putIfAbsent(layout.slotKey(3), new byte[0], earlier.asMap());

    assertThat(found(3).window()).isNull();
    assertThat(found(3)).isEqualTo(earlier);
  }

  private ObjectMetadata found(long slot) {
    return ((Event.Found) slots.look(slot)).object();
  }

  @Test
  void aRowThatIsTooLargeAloneIsNamed() {
    assertThat(refusedForItsSize(TOO_LARGE, 1))
        .isEqualTo("413. It is one row alone: id 1 of recorder orders, 78 bytes as a line");
    assertThat(refusedForItsSize(new ObjectStore.Unclear("403", false, RefusalCause.RIGHTS), 1))
        .isEqualTo("403");
  }

  @Test
  void ifRowsAreTooLargeTogetherTheKeyIsNamedThatDividesThem() {
    assertThat(refusedForItsSize(TOO_LARGE, 2))
        .isEqualTo(
            "413. It has 2 rows of recorder orders, 156 bytes as lines: a smaller rotate_bytes, and"
                + " a restart, make smaller objects");
  }

  private String refusedForItsSize(ObjectStore.Unclear answer, int rows) {
    SlotStore refusing = of(new Refusing(answer), LOG);
    SlotContentBuilder content = new SlotContentBuilder(Rotation.DEFAULT, Compression.GZIP);
    for (int id = 1; id <= rows; id++) {
      content.offer(new HandoffRow(id, 3, 0, null, "{}"));
    }
    SlotContent built =
        content.build(3, Origins.of("session"), Origins.READ_AT, content(3).window());
    return ((Event.StoreUnclear) refusing.put(built, Origins.CHAIN)).why();
  }

  @Test
  void aSecondPutFindsTheFirst() {
    slots.put(content(3), Origins.CHAIN);

    assertThat(slots.put(content(3), Origins.CHAIN)).isEqualTo(new Event.PutAlreadyThere());
  }

  @Test
  void whatIsNotThereIsMissing() {
    assertThat(slots.look(3)).isEqualTo(new Event.Missing());
  }

  @Test
  void aSlotOfAnotherLogIsWrong() {
    of(bucket, new UUID(5, 6)).put(content(3), Origins.CHAIN);

    assertThat(slots.look(3)).isInstanceOf(Event.IdentityWrong.class);
  }

  @Test
  void aSlotUnderTheKeyOfAnotherIsWrong() {
    ObjectMetadata other =
        new ObjectMetadata(
            "orders", LOG, 4, 9, "host-a", 1, "x", Origins.CHAIN, null, null, Origins.READ_AT);
    bucket.putIfAbsent(layout.slotKey(3), new byte[0], other.asMap());

    assertThat(slots.look(3)).isInstanceOf(Event.IdentityWrong.class);
  }

  @Test
  void anObjectOfSomebodyElseIsWrong() {
    bucket.putIfAbsent(layout.slotKey(3), new byte[0], Map.of());

    assertThat(slots.look(3)).isInstanceOf(Event.IdentityWrong.class);
  }

  @Test
  void theLogsIdentityIsChecked() {
    assertThat(slots.checkIdentity()).isInstanceOf(Event.IdentityWrong.class);

    layout.identity(LOG).claim(bucket);

    assertThat(slots.checkIdentity()).isEqualTo(new Event.IdentityRight());
    assertThat(of(bucket, new UUID(5, 6)).checkIdentity()).isInstanceOf(Event.IdentityWrong.class);
  }

  @Test
  void aStoreWithoutAnAnswerIsUnclear() {
    SlotStore unclear = of(MemoryStore.withoutBucket(), LOG);

    assertThat(unclear.put(content(1), Origins.CHAIN)).isInstanceOf(Event.StoreUnclear.class);
    assertThat(unclear.look(1)).isInstanceOf(Event.StoreUnclear.class);
    assertThat(unclear.checkIdentity()).isInstanceOf(Event.StoreUnclear.class);
  }

  /** A store that takes nothing. */
  private record Refusing(Unclear answer) implements ObjectStore {
    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      return answer;
    }

    @Override
    public HeadAnswer head(String key) {
      return answer;
    }

    @Override
    public GetAnswer get(String key) {
      return answer;
    }
  }

  private SlotStore of(ObjectStore store, UUID log) {
    return new SlotStore(store, layout, new Term(1, 9, "host-a", log));
  }

  private static SlotContent content(long slot) {
    return content(slot, new Window(Snapshot.NOTHING, Snapshot.parse("4:4:"), true));
  }

  private static SlotContent content(long slot, Window window) {
    SlotContentBuilder content = new SlotContentBuilder(Rotation.DEFAULT, Compression.GZIP);
    content.offer(new HandoffRow(1, 3, 0, null, "{}"));
    return content.build(slot, Origins.of("session"), Origins.READ_AT, window);
  }
}
