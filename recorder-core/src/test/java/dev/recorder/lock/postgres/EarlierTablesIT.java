package dev.recorder.lock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.postgres.LockSites;
import org.junit.jupiter.api.Test;

/** Tables of locks that an early build has made, without a column. */
class EarlierTablesIT {
  @Test
  void aRemedyIsNamedAndHelps() throws Exception {
    try (RowSite site = RowSite.create();
        MutexLocks locks = new MutexLocks(site.sessions("a"), Instruments.PLAIN)) {
      site.execute("ALTER TABLE recorder.lock_mutex DROP COLUMN forced_token");
      assertThat(locks.lock("books").tryAcquire()).isPresent();

      assertThatThrownBy(() -> locks.release("books"))
          .isInstanceOfSatisfying(
              LockException.class, e -> assertThat(e.kind()).isEqualTo(LockException.Kind.UNUSABLE))
          .hasMessageContaining("of an earlier version")
          .hasMessageContaining("'recorder schema'");

      LockSites.create(site.database);
      LockSites.create(site.database);

      assertThat(locks.release("books")).isTrue();
    }
  }
}
