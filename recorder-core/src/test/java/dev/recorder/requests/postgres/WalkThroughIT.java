package dev.recorder.requests.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import dev.recorder.requests.TablePass;
import dev.recorder.requests.postgres.RequestSite.Row;
import dev.recorder.requests.postgres.RequestSite.Unit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Five requests, two back ends, step by step, on a real server: how they share the work, wait for a
 * create, group updates, and lose nothing when one of them dies.
 */
@Tag("smoke")
class WalkThroughIT extends TwoWorkers {
  @BeforeEach
  void fiveRequests() throws Exception {
    assertThat(site.create("X")).isEqualTo(1);
    assertThat(site.create("Y")).isEqualTo(2);
    assertThat(site.update("X")).isEqualTo(3);
    assertThat(site.update("Y")).isEqualTo(4);
    assertThat(site.update("X")).isEqualTo(5);
  }

  @Test
  void fiveRequestsAndTwoBackEndsOfWhichOneDies() throws Exception {
    // A begins its pass at line 0 and takes the first request, the create of X.
    TablePass passOfA = new TablePass(0);
    Unit one = next(a, passOfA, 1L);
    assertThat(one.work().isCreate()).isTrue();
    assertStatuses("new", "new", "new", "new", "new");

    // B finds 1 taken, and takes the next, the create of Y; it is done with it first.
    TablePass passOfB = new TablePass(0);
    Unit two = next(b, passOfB, 2L);
    two.complete(b);
    passOfB.settled(0);
    assertStatuses("new", "complete", "new", "new", "new");

    // Behind its line B comes to 3, an update of X. Whoever wants to know whether the create of X
    // is settled finds it locked: A works on it. The line moves past 3, to 4, whose create is
    // settled.
    assertThat(passOfB.line()).isEqualTo(2);
    assertThat(stateOfLocking(1)).isEqualTo("55P03");
    Unit four = next(b, passOfB, 4L);
    assertThat(passOfB.line()).isEqualTo(4);
    four.complete(b);
    passOfB.settled(0);
    assertStatuses("new", "complete", "new", "complete", "new");

    // 5 is of X as well. B finds nothing more in this pass, nor in one that begins at line 0 again.
    assertThat(b.claim(UUID.randomUUID(), passOfB.line(), passOfB.passedOver(), true))
        .isEqualTo(NOTHING);
    assertThat(claim(b, 0)).isEqualTo(NOTHING);

    // A is done with the create of X, and could go on behind its line. But let it begin the
    // next pass: 3 is the first row, and 5 comes along, in one unit of work.
    one.complete(a);
    passOfA.settled(0);
    assertStatuses("complete", "complete", "new", "complete", "new");
    assertThat(stateOfLocking(1)).isEqualTo("could be locked");
    Unit both = next(a, new TablePass(0), 3L, 5L);
    assertThat(both.begun().id()).isEqualTo(3);

    // While A works, anybody else sees what is settled and what is new, and nothing in between.
    // That A is at it shows in the locks, and in what it has counted.
    assertStatuses("complete", "complete", "new", "complete", "new");
    assertThat(stateOfLocking(3)).isEqualTo("55P03");
    assertThat(stateOfLocking(5)).isEqualTo("55P03");
    assertThat(site.row(3).attempts()).isEqualTo(1);
    assertThat(site.row(3).begunBy()).isEqualTo("a");
    assertThat(claim(b, 0)).isEqualTo(NOTHING);

    // A dies before its COMMIT. There is nothing to clear away: the rows are new, and free.
    site.terminate("a");
    assertThatThrownBy(() -> both.complete(a)).isInstanceOf(DatabaseException.class);
    assertStatuses("complete", "complete", "new", "complete", "new");
    assertThat(stateOfLocking(3)).isEqualTo("could be locked");
    assertThat(stateOfLocking(5)).isEqualTo("could be locked");

    // It was the session that died, and A's process says so; the next pass of B takes both.
    try (RequestSession again = site.worker("a")) {
      again.disown(Attempt.at(both.begun()));
    }
    Unit last = next(b, new TablePass(0), 3L, 5L);
    assertThat(last.work().fence()).isGreaterThan(both.work().fence());
    last.complete(b);

    // Five are complete. The updates of X were one unit, every other request one of its own.
    assertStatuses("complete", "complete", "complete", "complete", "complete");
    List<UUID> processes = site.rows().stream().map(Row::process).toList();
    assertThat(processes)
        .containsExactly(
            one.work().process(),
            two.work().process(),
            last.work().process(),
            four.work().process(),
            last.work().process());
    assertThat(Set.copyOf(processes)).hasSize(4);
    assertThat(site.rows()).allMatch(row -> row.attempts() == 1 && row.lostAttempts() == 0);
    assertThat(site.locks()).isZero();
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
  }

  @Test
  void ifTheProcessDiesWithItsSessionTheUpdatesAreDoneOneByOne() throws Exception {
    for (long id : new long[] {1, 2}) {
      RequestSite.unit(b, id).complete(b);
    }
    next(a, passBehind(2), 3L, 5L);
    site.terminate("a");

    // Nobody says that it was not their fault. B leaves them for A to take up again, and does 4.
    Unit four = next(b, new TablePass(0), 4L);
    four.complete(b);
    assertThat(claim(b, 0)).isEqualTo(NOTHING);

    // A does not come back. After ten seconds B tries them, each alone: one of them may be poison.
    site.run(
        "UPDATE handoff.orders SET begun_at = begun_at - interval '10 s',"
            + " created_at = created_at - interval '10 s'");
    for (long id : new long[] {3, 5}) {
      Unit alone = next(b, new TablePass(0), id);
      assertThat(alone.begun().lostAttempts()).isEqualTo(1);
      alone.complete(b);
    }
    assertStatuses("complete", "complete", "complete", "complete", "complete");
  }

  private static TablePass passBehind(long line) {
    TablePass pass = new TablePass(0);
    pass.claimed(new Claim.PassedOver(line, Set.of()), 0);
    return pass;
  }

  /** The next claim of a pass, which has to bring the unit of these requests. */
  private static Unit next(RequestSession worker, TablePass pass, Long... ids) {
    while (true) {
      Claim claim = worker.claim(UUID.randomUUID(), pass.line(), pass.passedOver(), true);
      pass.claimed(claim, 0);
      if (claim instanceof Claim.Begun begun) {
        Unit unit = RequestSite.unit(worker, begun);
        assertThat(unit.work().ids()).containsExactly(ids);
        return unit;
      }
      assertThat(claim).isInstanceOf(Claim.PassedOver.class);
    }
  }

  private void assertStatuses(String... statuses) throws SQLException {
    assertThat(site.statuses()).containsExactly(statuses);
  }

  /** What an observer is told who wants to lock a row, and does not want to wait. */
  private String stateOfLocking(long id) throws SQLException {
    try (Connection observer = site.database.connect();
        Statement statement = observer.createStatement()) {
      statement.execute("SELECT FROM handoff.orders WHERE id = " + id + " FOR UPDATE NOWAIT");
      return "could be locked";
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }
}
