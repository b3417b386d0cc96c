package dev.recorder.leadership.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.ControlAction;
import dev.recorder.leadership.ControlAction.Take;
import dev.recorder.leadership.ControlAnswer;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.schema.OneLog;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As many recorders as there can be, of which the successor of a dead host takes all. */
@Tag("nightly")
class ManyTermsIT {
  private static final int RECORDERS = 998;
  private static final int TOGETHER = 256;

  private TestDatabase database;
  private RdsManager manager;
  private JdbcControlSession session;

  @BeforeEach
  void open() throws SQLException {
    database = OneLog.database(OneLog.wanted(1, "r1"));
    database.execute(
        "INSERT INTO recorder.lock_recorders (lock_id, recorder, layout)"
            + " SELECT n, 'r' || n, '{}' FROM generate_series(2, "
            + RECORDERS
            + ") n",
        "UPDATE recorder.lock_recorders SET epoch = lock_id, holder = 'dead', last_holder = 'dead',"
            + " settled_at = clock_timestamp() - interval '1 hour',"
            + " begun_at = clock_timestamp() - lock_id * interval '1 hour'");
    manager = new RdsManager(TestSessions.patient(database, "a"));
    Set<Integer> lockIds =
        IntStream.rangeClosed(1, RECORDERS).boxed().collect(Collectors.toUnmodifiableSet());
    session =
        new JdbcControlSession(manager, new Registration(lockIds, Set.of(), "test", "", Map.of()));
    session.perform(new ControlAction.Connect(lockIds));
  }

  @AfterEach
  void close() throws SQLException {
    session.close();
    manager.close();
    database.close();
  }

  @Test
  void eachGetsTheTermAndTheReceiptThatAreItsOwn() throws SQLException {
    for (int from = 1; from <= RECORDERS; from += TOGETHER) {
      List<Take> takes = takes(from, Math.min(from + TOGETHER - 1, RECORDERS));
      List<ControlAnswer> answers = take(takes);
      for (int i = 0; i < takes.size(); i++) {
        ControlAnswer.Taken taken = (ControlAnswer.Taken) answers.get(i);
        assertThat(taken.term().lockId()).isEqualTo(takes.get(i).lockId());
        assertThat(taken.term().epoch()).isEqualTo(takes.get(i).judgedEpoch() + 1);
        assertThat(taken.receipt().from()).isEqualTo("dead");
        assertThat(taken.receipt().gap()).isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(taken.receipt().why()).isEqualTo(takes.get(i).why());
      }
    }

    assertThat(
            database.number(
                """
                SELECT count(*) FROM recorder.takeovers t
                JOIN recorder.lock_recorders r USING (lock_id, recorder)
                JOIN recorder.incumbents i USING (lock_id)
                WHERE t.detail = 'why ' || lock_id AND t.silence_ms / 3600000 = lock_id
                  AND t.from_epoch = lock_id AND t.to_epoch = lock_id + 1
                  AND r.epoch = t.to_epoch AND r.holder = 'a' AND i.epoch = r.epoch"""))
        .isEqualTo(RECORDERS);
  }

  /** A command has a number within its transaction, which the rows that it wrote keep. */
  @Test
  void termsThatAreTakenTogetherBeginInOneStatement() throws SQLException {
    take(takes(1, TOGETHER));

    assertThat(
            database.query(
                "SELECT count(*), count(DISTINCT (t.xmin::text, t.cmin::text))"
                    + " FROM recorder.takeovers t",
                row -> List.of(row.getLong(1), row.getLong(2))))
        .containsExactly(List.of((long) TOGETHER, 1L));
  }

  @Test
  void thoseThatMovedAreNotTakenAndKeepTheOthersFromNothing() throws SQLException {
    database.execute("UPDATE recorder.lock_recorders SET epoch = epoch + 1 WHERE lock_id % 2 = 0");

    List<ControlAnswer> answers = take(takes(1, TOGETHER));

    for (int i = 0; i < TOGETHER; i++) {
      assertThat(answers.get(i))
          .isInstanceOf(i % 2 == 0 ? ControlAnswer.Taken.class : ControlAnswer.Moved.class);
    }
    assertThat(
            database.number(
                """
                SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2
                  AND database = (
                    SELECT oid FROM pg_database WHERE datname = current_database())"""))
        .isEqualTo(TOGETHER / 2);
  }

  private List<ControlAnswer> take(List<Take> takes) {
    ControlAnswer answer = session.perform(new ControlAction.TakeSeveral(takes));
    return ((ControlAnswer.TookSeveral) answer).answers();
  }

  private static List<Take> takes(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(n -> new Take(n, "dead", n, TakeoverReason.DIED, "why " + n))
        .toList();
  }
}
