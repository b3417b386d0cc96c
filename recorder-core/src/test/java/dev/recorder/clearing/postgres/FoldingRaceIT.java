package dev.recorder.clearing.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.SlotChain;
import dev.recorder.clearing.SettledSlots;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What others do while slots are folded. */
class FoldingRaceIT {
  private FoldingSite site;

  /** Slots 1 to 3 are cleared away, slots 4 and 5 are kept. */
  @BeforeEach
  void clearThree() throws Exception {
    site =
        new FoldingSite(
            TestDatabase.createOn(PostgresServer.shared(), TestDatabase.ROLE), new MemoryStore());
    site.record("a", "b", "c");
    site.rotate();
    site.record("d", "e");
    site.clear(1);
  }

  @AfterEach
  void drop() throws Exception {
    site.close();
  }

  @Test
  void ofTwoWhoFoldTheSameSlotsTheSecondChangesNothing() throws Exception {
    SettledSlots late = site.leaves(site.term()).slots();
    assertThat(late.rows(0, 3)).hasSize(3);
    site.fold();

    SlotChain chain = new SlotChain(2, 2, 2, "of whoever came too late");
    assertThat(late.fold(new SettledSlots.Fold(0, chain, null, 2, List.of(3L)))).isFalse();

    assertThat(site.notes()).containsExactly("3 rows up to 3");
    site.assertProved(5);
  }

  /** All leaves are empty but for these, and nobody may have looked at them before. */
  @Test
  void rowsThatComeAndAreRecordedAtTheLastMomentKeepTheirSlots() throws Exception {
    site.log.run("TRUNCATE handoff.orders");
    JdbcHandoffLeaves leaves = site.leaves(site.term());
    SettledSlots slots = new RecordsBeforeTheLook(leaves.slots());

    assertThat(site.clearing().fold(leaves, slots)).isEmpty();

    assertThat(site.slots()).containsExactly("4", "5", "6", "7");
  }

  private final class RecordsBeforeTheLook implements SettledSlots {
    private SettledSlots slots;

    RecordsBeforeTheLook(SettledSlots slots) {
      this.slots = slots;
    }

    @Override
    public SlotsStanding look() {
      try {
        site.record("f", "g");
        slots = site.leaves(site.term()).slots(); // Recording took a term.
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      return slots.look();
    }

    @Override
    public List<SlotRow> rows(long after, long upTo) {
      return slots.rows(after, upTo);
    }

    @Override
    public List<Long> notes() {
      return slots.notes();
    }

    @Override
    public boolean fold(Fold fold) {
      return slots.fold(fold);
    }
  }
}
