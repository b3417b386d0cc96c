package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Supervision;
import org.junit.jupiter.api.Test;

/** Long queues of a few entities whose worker has died. */
class PoisonQueueIT {
  private static final int ENTITIES = 4;
  private static final int QUEUE = 1_000;
  private static final int POSSIBLE_POISON = 150;

  @Test
  void eachPossiblePoisonMessageIsTriedWithoutASearchOfAllThatWaits() throws Exception {
    try (Accounts.Hosted accounts =
        new Accounts.Hosted(
            new MemoryStore(),
            MemoryBudget.unlimited(),
            new Supervision(System::nanoTime, FatalErrorHandler.IGNORED))) {
      accounts.add(Accounts.settings(8, A_MINUTE));
      accounts.paused(true);
      accounts.run(
          """
          INSERT INTO handoff.accounts (request_type, entity_id, payload)
          SELECT 'update', 'e' || e, json_build_object('n', n)
          FROM generate_series(1, %d) n, generate_series(1, %d) e
          """
              .formatted(QUEUE, ENTITIES));
      accounts.run(
          """
          UPDATE handoff.accounts SET deaths = 1 WHERE id IN (
            SELECT id FROM (
              SELECT id, row_number() OVER (PARTITION BY entity_id ORDER BY id) AS place
              FROM handoff.accounts) a
            WHERE place <= %d)
          """
              .formatted(POSSIBLE_POISON));

      accounts.paused(false);
      accounts.awaitComplete(ENTITIES * QUEUE);

      String read =
          "SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = '_accounts_new'";
      // A search for each would read more than a million.
      // Some 100,000; with a search for each it would be two million.
      assertThat(Long.parseLong(accounts.text(read))).isBetween(1L, 700_000L);
    }
  }
}
