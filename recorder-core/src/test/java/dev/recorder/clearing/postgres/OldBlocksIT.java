package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.BlockRanges;
import dev.recorder.handoff.Term;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Years of blocks that were cleared are a few notes, which say the same. */
class OldBlocksIT {
  private static final int BLOCKS = 5_000;

  /** The latest are let be, and {@link #BLOCKS} itself is in use. */
  private static final int LATEST = 16;

  private ClearingSite site;

  @BeforeEach
  void create() throws Exception {
    site =
        new ClearingSite(
            TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE), new MemoryStore());
    site.record("a");
    site.log.run(
        "SELECT setval('handoff.orders_id_seq', (" + BLOCKS + "::bigint << 32) + 1)",
        """
        INSERT INTO recorder.blocks (lock_id, block, begun_at, from_slot, cleared_at, cleared_by,
          cleared_rows, last_slot)
        SELECT 1, n, now() - interval '10 min' * (%1$d - n), n + 1,
          CASE WHEN n < %1$d THEN now() - interval '10 min' * (%1$d - n - 1) END, 'host-a', 3, n + 1
        FROM generate_series(0, %1$d) n
        """
            .formatted(BLOCKS));
  }

  @AfterEach
  void drop() throws Exception {
    site.close();
  }

  @Test
  void manyBecomeOneAndSayTheSame() throws Exception {
    BlockRanges before = cleared();
    String rows = rows();

    site.tidy();

    assertThat(notes()).hasSize(LATEST + 1).startsWith("0 to " + (BLOCKS - LATEST));
    assertThat(cleared()).isEqualTo(before);
    assertThat(rows()).isEqualTo(rows);
    assertThat(
            site.log.ask(
                "SELECT from_slot || ' to ' || last_slot FROM recorder.blocks"
                    + " ORDER BY block LIMIT 1"))
        .containsExactly("1 to " + (BLOCKS - LATEST + 1));
  }

  /** Somebody has deleted its rows: of its lines nobody says that they need none. */
  @Test
  void aBlockThatWasNeverClearedStaysOne() throws Exception {
    site.log.run("UPDATE recorder.blocks SET cleared_at = NULL WHERE block = 777");
    BlockRanges before = cleared();

    site.tidy();

    assertThat(notes())
        .hasSize(LATEST + 3)
        .startsWith("0 to 776", "777 to 777", "778 to " + (BLOCKS - LATEST));
    assertThat(cleared()).isEqualTo(before);
  }

  @Test
  void whatIsMergedIsMergedFurtherAndALateNoteGoesIntoIt() throws Exception {
    site.tidy();
    site.log.run(
        "SELECT setval('handoff.orders_id_seq', (%d::bigint << 32) + 1)".formatted(BLOCKS + 100),
        """
        INSERT INTO recorder.blocks (lock_id, block, begun_at, from_slot, cleared_at, cleared_rows)
        SELECT 1, n, now(), 9, now(), 1 FROM generate_series(%1$d, %1$d + 99) n
        UNION ALL VALUES (1, 5, now(), 1, now(), 0)
        ON CONFLICT (lock_id, block) DO UPDATE SET cleared_at = now()
        """
            .formatted(BLOCKS));
    BlockRanges before = cleared();
    String rows = rows();

    site.tidy();

    assertThat(notes()).hasSize(LATEST).startsWith("0 to " + (BLOCKS + 100 - LATEST));
    assertThat(cleared()).isEqualTo(before);
    assertThat(rows()).isEqualTo(rows);
  }

  @Test
  void aFewAreLetBe() throws Exception {
    site.log.run("DELETE FROM recorder.blocks WHERE block < " + (BLOCKS - 70));

    site.tidy();

    assertThat(notes()).hasSize(71);
  }

  @Test
  void whoHasLostTheTermMergesNone() throws Exception {
    Term old = site.term();
    site.log.run("UPDATE recorder.lock_recorders SET epoch = epoch + 1");

    site.leaves(old).mergeBlocks(BLOCKS);

    assertThat(notes()).hasSize(BLOCKS + 1);
  }

  private BlockRanges cleared() {
    try (Inspection inspection = Inspection.open(site.log.sessions())) {
      return inspection.records(RebaseSite.ORDERS, 1).settled().cleared();
    }
  }

  private List<String> notes() throws Exception {
    return site.log.ask(
        "SELECT coalesce(first_block, block) || ' to ' || block FROM recorder.blocks"
            + " WHERE lock_id = 1 ORDER BY block");
  }

  private String rows() throws Exception {
    return site.log.ask("SELECT sum(cleared_rows) FROM recorder.blocks").get(0);
  }
}
