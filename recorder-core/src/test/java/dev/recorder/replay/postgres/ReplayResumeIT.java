package dev.recorder.replay.postgres;

import static dev.recorder.replay.postgres.ReplaySite.account;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.reader.LogReader;
import dev.recorder.reader.LogSlot;
import dev.recorder.replay.Replay;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import dev.recorder.replay.ReplayTarget;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replays that are ended, begun again, or kept out. */
class ReplayResumeIT {
  private static final String ACCOUNT = "public.account";

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void goesOnWhereItStands() throws Exception {
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(1);
    ReplayResult first = site.replay();
    site.change("update", ACCOUNT, account(1, "b"));
    site.source.record(1);

    ReplayResult second = site.replay();
    ReplayResult third = site.replay();

    assertThat(first.nextSlot()).isEqualTo(3);
    assertThat(second.fromSlot()).isEqualTo(3);
    assertThat(second.slots()).isEqualTo(1);
    assertThat(third.slots()).isZero();
    assertThat(site.accounts()).containsExactly("1=b");
  }

  @Test
  void isEndedWithAnyWindowHalfDoneAndBegunAgain() throws Exception {
    String note = "public.note"; // Without a key a row that was applied twice would be seen.
    site.change("schema", note, ",\"columns\":[{\"name\":\"t\",\"type\":\"text\"}]");
    for (int i = 0; i < 4; i++) {
      site.change("insert", note, ",\"after\":{\"t\":\"" + i + "\"}");
      site.source.record(1); // Each is a window of its own.
    }
    int ended = 0;
    for (int allowed = 0; true; allowed++) {
      try (EndingTarget target = new EndingTarget(site.open(), allowed)) {
        if (eachWindowAlone(target)) {
          break;
        }
        ended++;
      }
    }

    assertThat(ended).isEqualTo(3);
    assertThat(site.there("SELECT t FROM public.note ORDER BY 1"))
        .containsExactly("0", "1", "2", "3");
  }

  /** Whether it came to the end. */
  private boolean eachWindowAlone(ReplayTarget target) {
    ReplayPosition from = target.position().orElse(ReplayPosition.of(1));
    try {
      for (LogSlot slot : site.slots()) {
        if (slot.slot() >= from.nextSlot()) {
          Replay one = new Replay(target, new ReplayPosition(slot.slot(), null), (s, rows) -> {});
          one.run(List.of(slot).iterator());
        }
      }
      return true;
    } catch (DatabaseException expected) {
      return false;
    }
  }

  /** Its session ends when so many windows are applied, and the next is staged. */
  private final class EndingTarget implements ReplayTarget {
    private final JdbcReplayTarget target;
    private int left;

    EndingTarget(JdbcReplayTarget target, int left) {
      this.target = target;
      this.left = left;
    }

    @Override
    public Optional<ReplayPosition> position() {
      return target.position();
    }

    @Override
    public StagedRows stage(LogSlot slot) {
      StagedRows changes = target.stage(slot);
      if (left == 0) {
        endSessions();
      }
      return changes;
    }

    @Override
    public List<ReplayNote> apply(ReplayPosition end) {
      left--;
      return target.apply(end);
    }

    @Override
    public void close() {
      target.close();
    }
  }

  private void endSessions() {
    try {
      site.target.execute(
          "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
              + " WHERE application_name = 'recorder/replay/replay'"
              + " AND datname = current_database()");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailureInAWindowLeavesNothingOfIt() throws Exception {
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(50_000);
    site.replay();
    site.change("insert", ACCOUNT, account(2, "b"));
    site.target.execute("CREATE TABLE public.mine (id integer)");
    site.change("schema", "public.mine", ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}]");
    site.source.record(50_000);

    assertThatThrownBy(site::replay).isInstanceOf(ReplayException.class);

    assertThat(site.accounts()).containsExactly("1=a");
  }

  @Test
  void oneAtATimeReplaysALogIntoADatabase() throws Exception {
    site.source.record(50_000);
    try (JdbcReplayTarget held = site.open()) {
      assertThat(held.position()).isEmpty();
      assertThatThrownBy(site::replay)
          .isInstanceOfSatisfying(
              ReplayException.class,
              busy -> assertThat(busy.kind()).isEqualTo(ReplayException.ReplayErrorKind.BUSY));
    }
    assertThat(site.replay().slots()).isEqualTo(1);
  }

  @Test
  void anotherLogOfTheSameNameIsRefused() throws Exception {
    site.source.record(50_000);
    site.replay();

    try (JdbcReplayTarget other =
        JdbcReplayTarget.open(site.targetSessions(), RebaseSite.ORDERS, UUID.randomUUID())) {
      assertThatThrownBy(other::position)
          .isInstanceOf(ReplayException.class)
          .hasMessageContaining("out of another log");
    }
  }

  @Test
  void slotsThatDoNotSayTheirWindowAreTakenTogetherUpToOneThatDoes() throws Exception {
    site.change("insert", ACCOUNT, account(1, "a"));
    site.source.record(1);
    MemoryStore earlier = new MemoryStore();
    copy(earlier, 1, 2, false);

    ReplayResult first = replay(earlier);
    assertThat(first.slots()).isZero();
    assertThat(first.openSlots()).isEqualTo(2);

    site.change("update", ACCOUNT, account(1, "b"));
    site.source.record(1);
    copy(earlier, 3, 3, true);
    assertThat(replay(earlier).slots()).isEqualTo(3);
    assertThat(site.accounts()).containsExactly("1=b");
  }

  private ReplayResult replay(MemoryStore bucket) throws Exception {
    try (JdbcReplayTarget target = site.open();
        LogReader slots = site.slots(bucket, ReplayPosition.of(1))) {
      return new Replay(target, ReplayPosition.of(1), (slot, rows) -> {}).run(slots);
    }
  }

  /** Objects with or without what they say of their windows. */
  private void copy(MemoryStore to, long first, long last, boolean windows) {
    ReplaySite.LAYOUT.identity(site.log()).claim(to);
    for (long slot = first; slot <= last; slot++) {
      String key = ReplaySite.LAYOUT.slotKey(slot);
      ObjectStore.Body body = (ObjectStore.Body) site.source.store.get(key);
      ObjectMetadata all = ObjectMetadata.from(body.metadata()).orElseThrow();
      ObjectMetadata less =
          new ObjectMetadata(
              all.recorder(),
              all.log(),
              all.slot(),
              all.epoch(),
              all.writer(),
              all.rows(),
              all.sha256(),
              all.chain(),
              all.database(),
              null,
              Origins.READ_AT);
      to.putIfAbsent(key, body.bytes(), (windows ? all : less).asMap());
    }
  }

  /** What the database has lost is told, and stays in the tables. */
  @Test
  void aDatabaseThatHasLostCommitsIsSeen() throws Exception {
    site.change("insert", ACCOUNT, account(1, "kept"));
    site.source.record(50_000);
    RebaseSite original = site.source;
    try (RebaseSite restored = new RebaseSite(original.database.copyInItsPlace(), original.store)) {
      site.change("insert", ACCOUNT, account(2, "lost"));
      original.record(50_000); // The copy has neither the row nor the plan of the slot.
      restored.run(
          "INSERT INTO handoff.orders (key, payload) VALUES ('k',"
              + " '{\"by\":\"recorder_capture\",\"op\":\"insert\",\"table\":\"public.account\",\"seq\":900"
              + account(3, "new")
              + "}')");
      restored.record(50_000);
    }

    ReplayResult result = site.replay();

    assertThat(result.stepsBefore()).containsExactly(3L);
    assertThat(site.accounts()).containsExactly("1=kept", "2=lost", "3=new");
  }

  @Test
  void nothingIsReplayedOfALogWithoutASlot() throws Exception {
    List<LogSlot> none = new ArrayList<>();
    try (JdbcReplayTarget target = site.open()) {
      ReplayResult result =
          new Replay(target, ReplayPosition.of(1), (slot, rows) -> {}).run(none.iterator());
      assertThat(result.slots()).isZero();
      assertThat(target.position()).isEmpty();
    }
  }
}
