package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException.Kind;
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

      assertFails(Kind.UNUSABLE, () -> locks.release("books"))
          .hasMessageContaining("of an earlier version")
          .hasMessageContaining("'recorder schema'");

      LockSites.create(site.database);
      LockSites.create(site.database);

      assertThat(locks.release("books")).isTrue();
    }
  }
}
