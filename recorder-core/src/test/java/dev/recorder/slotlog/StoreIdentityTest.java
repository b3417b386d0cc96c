package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreIdentity.IdentityKind;
import dev.recorder.store.StoreIdentity.Recognition;
import dev.recorder.testing.servers.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StoreIdentityTest {
  private static final UUID OURS = new UUID(1, 2);
  private static final UUID THEIRS = new UUID(3, 4);

  private final MemoryStore store = new MemoryStore();
  private final LogLayout layout =
      new LogLayout("", "bucket", "p", new RecorderName("orders"), Compression.GZIP);

  @Test
  void isClaimedOnceAndRightEverAfter() {
    assertThat(claim(OURS).kind()).isEqualTo(IdentityKind.RIGHT);
    assertThat(claim(OURS).kind()).isEqualTo(IdentityKind.RIGHT);
    assertThat(check(OURS).kind()).isEqualTo(IdentityKind.RIGHT);
  }

  @Test
  void ofAnotherDatabaseIsWrongAndIsNotOverwritten() {
    claim(THEIRS);

    Recognition verdict = claim(OURS);

    assertThat(verdict.kind()).isEqualTo(IdentityKind.WRONG);
    assertThat(verdict.why()).contains("p/orders/_log.json", THEIRS.toString(), OURS.toString());
    assertThat(check(THEIRS).kind()).isEqualTo(IdentityKind.RIGHT);
  }

  @Test
  void isMissingInAnotherStore() {
    Recognition verdict = check(OURS);

    assertThat(verdict.kind()).isEqualTo(IdentityKind.MISSING);
    assertThat(verdict.why()).contains("p/orders/_log.json", "bucket");
  }

  @Test
  void thatCannotBeReadIsWrong() {
    store.putIfAbsent(
        layout.identityKey(), "{}".getBytes(StandardCharsets.UTF_8), Map.of("log", "x"));

    assertThat(check(OURS).kind()).isEqualTo(IdentityKind.WRONG);
  }

  @Test
  void isUnclearWhileTheStoreGivesNoAnswer() {
    ObjectStore silent = MemoryStore.withoutBucket();

    assertThat(layout.identity(OURS).check(silent).kind()).isEqualTo(IdentityKind.UNCLEAR);
    assertThat(layout.identity(OURS).claim(silent).kind()).isEqualTo(IdentityKind.UNCLEAR);
  }

  @Test
  void thatIsArchivedIsKnownByItsMetadata() {
    claim(OURS);
    ObjectStore archived = new ArchivedStore(store);

    assertThat(layout.identity(OURS).check(archived).kind()).isEqualTo(IdentityKind.RIGHT);
    assertThat(layout.identity(OURS).claim(archived).kind()).isEqualTo(IdentityKind.RIGHT);
    assertThat(layout.identity(THEIRS).check(archived).kind()).isEqualTo(IdentityKind.WRONG);
  }

  @Test
  void thatIsArchivedAndWasWrittenBySomebodyElseIsUnclear() {
    store.putIfAbsent(layout.identityKey(), new byte[0], Map.of("log", "x"));

    Recognition verdict = layout.identity(OURS).check(new ArchivedStore(store));

    assertThat(verdict.kind()).isEqualTo(IdentityKind.UNCLEAR);
    assertThat(verdict.why()).contains("archived");
  }

  @Test
  void thatMayNotBeReadIsNotLookedAtOtherwise() {
    claim(OURS);
    ObjectStore forbidden = new ArchivedStore(store, ObjectStore.RefusalCause.RIGHTS);

    assertThat(layout.identity(OURS).check(forbidden).kind()).isEqualTo(IdentityKind.UNCLEAR);
  }

  private Recognition claim(UUID log) {
    return layout.identity(log).claim(store);
  }

  private Recognition check(UUID log) {
    return layout.identity(log).check(store);
  }

  /** A store that gives metadata, and no bodies. */
  private record ArchivedStore(ObjectStore store, RefusalCause why) implements ObjectStore {
    ArchivedStore(ObjectStore store) {
      this(store, RefusalCause.ARCHIVED);
    }

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      return store.putIfAbsent(key, body, metadata);
    }

    @Override
    public HeadAnswer head(String key) {
      return store.head(key);
    }

    @Override
    public GetAnswer get(String key) {
      return new Unclear("GET of " + key + " is refused: archived", false, why);
    }
  }
}
