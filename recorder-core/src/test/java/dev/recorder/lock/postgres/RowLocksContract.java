package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.assertFails;
import static dev.recorder.lock.Leases.atOnce;
import static dev.recorder.lock.Leases.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What is the same of all locks that are rows, whatever becomes of a row when it is let go of. */
@ResourceLock(RowSite.SHARED)
public abstract class RowLocksContract {
  @RegisterExtension protected static final RowSite site = RowSite.shared();

  private final String table;
  private final String state;

  /**
   * Of a kind.
   *
   * @param state SQL: whether, or for what, a row can be taken
   */
  protected RowLocksContract(String table, String state) {
    this.table = table;
    this.state = state + " || ' ' || retries_left";
  }

  /** A service of the kind, as all of them are asked for locks. */
  protected interface Locks {
    DistributedLock lock(String id, RowOptions options);

    default DistributedLock lock(String id) {
      return lock(id, RowOptions.DEFAULT);
    }
  }

  /** Opens a service, for this test. */
  protected abstract Locks open(Sessions sessions, Instruments instruments);

  /** Lets a lock that was taken be taken again. */
  protected abstract void free(String id) throws Exception;

  protected final Locks contender(String worker) {
    return open(site.sessions(worker), Instruments.PLAIN);
  }

  /** Columns of a row, as text. */
  protected final String row(String id, String columns) throws Exception {
    return String.valueOf(
        site.text("SELECT " + columns + " FROM recorder." + table + " WHERE id = '" + id + "'"));
  }

  @Test
  @Tag("smoke")
  void ofManyWhoMakeOrTakeARowAtOnceExactlyOneGetsIt() throws Exception {
    List<Locks> racers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      racers.add(contender("racer" + i));
      racers.get(i).lock("warm" + i).tryAcquire();
    }
    for (int round = 0; round < 20; round++) {
      String id = "raced" + round / 2; // once to be made, once to be taken
      List<Callable<Optional<Lease>>> all = new ArrayList<>();
      racers.forEach(racer -> all.add(() -> racer.lock(id).tryAcquire()));
      assertThat(atOnce(all)).filteredOn(Optional::isPresent).hasSize(1);
      free(id);
    }
  }

  @Test
  void retriesAreCountedDownAndAtZeroNobodyGetsTheLock() throws Exception {
    Locks locks = contender("a");
    DistributedLock twice = locks.lock("twice", RowOptions.DEFAULT.withRetries(2));
    for (int left = 1; left >= 0; left--) {
      take(twice);
      assertThat(row("twice", "retries_left")).isEqualTo(Integer.toString(left));
      free("twice");
    }
    assertThat(twice.tryAcquire()).isEmpty();
    assertThat(locks.lock("twice").tryAcquire()).isEmpty();
    assertThat(locks.lock("never", RowOptions.DEFAULT.withRetries(0)).tryAcquire()).isEmpty();
    assertThat(row("never", "id")).isEqualTo("null");
  }

  @Test
  void attemptsInVainUseUpNoRetriesAndNoTokens() throws Exception {
    Locks locks = contender("a");
    take(locks.lock("vain", RowOptions.DEFAULT.withRetries(5)));
    String before = site.text("SELECT last_value FROM recorder.lock_token");
    for (int i = 0; i < 5; i++) {
      assertThat(locks.lock("vain").tryAcquire()).isEmpty();
    }
    assertThat(site.text("SELECT last_value FROM recorder.lock_token")).isEqualTo(before);
    assertThat(row("vain", "retries_left")).isEqualTo("4");
  }

  @Test
  void theSameIdInTwoQueuesIsTwoLocks() {
    Locks locks = contender("a");
    take(locks.lock("same"));
    DistributedLock other = locks.lock("same", RowOptions.DEFAULT.inQueue("other"));
    take(other);
    assertThat(other.name()).isEqualTo("other/same");
    assertThat(other.tryAcquire()).isEmpty();
    assertThat(locks.lock("same").tryAcquire()).isEmpty();
  }

  @Test
  void aRowWhoseGrantWasLostOnItsWayIsGivenBackOnceWithItsRetry() throws Exception {
    take(contender("before").lock("unheard", RowOptions.DEFAULT.withRetries(9)));
    free("unheard");
    String before = row("unheard", state);
    assertThat(before).endsWith(" 8");
    try (TcpProxy proxy = site.proxy()) {
      Locks cut = open(site.cut(proxy), RowSite.TRUSTING);
      take(cut.lock("something else"));
      proxy.pauseToClient();
      assertFails(Kind.UNREACHABLE, () -> cut.lock("unheard").tryAcquire());
      assertThat(row("unheard", "retries_left")).isEqualTo("7");
      assertThat(contender("b").lock("unheard").tryAcquire()).as("silently taken").isEmpty();
      proxy.resume();
      cut.lock("whatever").tryAcquire();
      cut.lock("whatever").tryAcquire();
      assertThat(row("unheard", state)).isEqualTo(before);
      assertThat(contender("b").lock("unheard").tryAcquire()).isPresent();
    }
  }
}
