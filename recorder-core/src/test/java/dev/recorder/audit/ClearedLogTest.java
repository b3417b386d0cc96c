package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.Containment.Comparison;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.HandoffRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A log some of whose rows were cleared away: what is proved before, and what still is after. */
class ClearedLogTest {
  private static final long SECOND_BLOCK = 1L << Block.BITS;

  private final LogInMemory log = new LogInMemory();

  /** Slot 1: rows 1 and 2 of the first block, slot 2: row 3 and the first of the second block. */
  private void recordTwoBlocks() {
    log.insert(10);
    log.insert(10);
    log.record("11:11:", 100);
    log.insert(11);
    log.handoff.add(LogInMemory.row(SECOND_BLOCK + 1, 12, "{}"));
    log.record("13:13:", 100);
  }

  @Test
  void linesOfClearedBlocksNeedNoRow() throws Exception {
    recordTwoBlocks();
    log.clear(Set.of(0L));

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.rows()).isEqualTo(4);
    assertThat(verdict.compared()).isEqualTo(1);
  }

  @Test
  void aLineWhoseRowIsGoneAndNotClearedIsFoundHoweverOld() throws Exception {
    recordTwoBlocks();
    log.clear(Set.of());
    log.handoff.removeIf(row -> row.id() == 1);

    assertThat(verify().findings())
        .singleElement()
        .asString()
        .contains("slot 1 holds row 1 of transaction 10 in a line that no row of its window has");
  }

  @Test
  void aRowThatComesIntoAClearedBlockIsComparedByItself() throws Exception {
    recordTwoBlocks();
    log.clear(Set.of(0L));
    log.handoff.add(LogInMemory.row(7, 13, "{}"));
    log.record("14:14:", 100);

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.compared()).isEqualTo(2);
  }

  @Test
  void aRowThatComesIntoAClearedBlockAndIsLostIsFound() throws Exception {
    recordTwoBlocks();
    log.clear(Set.of(0L));
    log.handoff.add(LogInMemory.row(7, 12, "{}"));

    assertThat(verify().findings()).singleElement().asString().contains("row 7", "is lost");
  }

  @Test
  void rowsThatAreClearedWhileTheyAreReadAreNoFault() throws Exception {
    recordTwoBlocks();
    boolean[] once = {false};
    log.beforeRead =
        () -> {
          if (!once[0]) {
            once[0] = true;
            log.clear(Set.of(0L));
          }
        };

    assertThat(verify().findings()).isEmpty();
  }

  // ---- the proof before

  @Test
  void rowsThatSettledSlotsHoldAreProved() throws Exception {
    recordTwoBlocks();

    Comparison compared = prove(1, () -> true);

    assertThat(compared.trouble()).isEmpty();
    assertThat(compared.rows()).isEqualTo(3);
    assertThat(compared.upTo()).isEqualTo(2);
  }

  @Test
  void rowsThatARebaseHasRenumberedAreProvedToo() throws Exception {
    recordTwoBlocks();
    log.handoff.replaceAll(row -> LogInMemory.row(row.id(), 2, "{}"));

    assertThat(prove(1, () -> true).trouble()).isEmpty();
  }

  @Test
  void aRowThatHasChangedIsNotProved() throws Exception {
    recordTwoBlocks();
    log.handoff.replaceAll(
        row -> row.id() == 2 ? LogInMemory.row(2, row.xid(), "{\"changed\":1}") : row);

    assertThat(prove(1, () -> true).trouble())
        .isEqualTo(
            "1 of its rows are in no settled slot, such as row 2 of transaction 10: run 'recorder"
                + " verify orders'");
  }

  @Test
  void anObjectThatIsNotWhatWasWrittenProvesNothing() throws Exception {
    recordTwoBlocks();
    log.plans.put(1L, log.plans.get(2L));

    assertThat(prove(1, () -> true).trouble()).contains("slot 1", "no row of slots has for it");
  }

  @Test
  void slotsBeforeTheBlockAreNotRead() throws Exception {
    recordTwoBlocks();

    assertThat(prove(2, () -> true).trouble()).startsWith("2 of its rows are in no settled slot");
  }

  @Test
  void whoIsInterruptedHasProvedNothing() throws Exception {
    recordTwoBlocks();

    assertThat(prove(1, () -> false).trouble()).isEqualTo("it was interrupted");
  }

  @Test
  void withoutMemoryForAnObjectNothingIsProved() throws Exception {
    recordTwoBlocks();
    List<Long> asked = new ArrayList<>();
    ReadingRoom small =
        bytes -> {
          asked.add(bytes);
          return asked.size() < 2;
        };

    Comparison compared = prove(1, () -> true, small);

    assertThat(compared.trouble())
        .matches("slot 2: object .* cannot be read here: no memory was free for \\d+ bytes");
    long second = log.plans.get(2L).get(0).bytes();
    assertThat(asked.get(1)).isEqualTo(3 * second + 2 * 64);
    assertThat(asked).endsWith(0L);
  }

  @Test
  void slotsWhoseRowsInSlotsAreDeletedAreNotLookedThrough() throws Exception {
    recordTwoBlocks();
    log.deletePlans(1);

    assertThat(prove(1, () -> true).trouble()).startsWith("2 of its rows are in no settled slot");
  }

  /** Slot 1: a history that was lost, with the ids that the rows of slot 2 have got again. */
  private void recordIdsThatWereGivenOutBefore(int rows) {
    log.adoptByIdentity(
        LongStream.rangeClosed(1, rows)
            .mapToObj(id -> LogInMemory.row(id, 9, "\"lost\""))
            .toArray(HandoffRow[]::new));
    log.insert(LongStream.generate(() -> 10).limit(rows).toArray());
    log.record("11:11:", rows);
  }

  @Test
  void moreRowsInDoubtThanAreHeldInMemoryAreProvedABatchAtATime() throws Exception {
    recordIdsThatWereGivenOutBefore(1_000);

    Comparison compared = proveInBatchesOf(300);

    assertThat(compared.trouble()).isEmpty();
    assertThat(compared.rows()).isEqualTo(1_000);
    assertThat(compared.upTo()).isEqualTo(2);
  }

  @Test
  void aRowThatIsMissingAmongMoreThanAreHeldInMemoryIsNamed() throws Exception {
    recordIdsThatWereGivenOutBefore(1_000);
    log.handoff.replaceAll(row -> row.id() == 900 ? LogInMemory.row(900, 10, "1") : row);

    assertThat(proveInBatchesOf(300).trouble())
        .startsWith("1 of its rows are in no settled slot, such as row 900 of transaction 10");
  }

  @Test
  void ofRowsThatAreMissingTheFirstBatchIsEnough() throws Exception {
    recordIdsThatWereGivenOutBefore(1_000);
    log.handoff.replaceAll(row -> row.id() % 400 == 100 ? LogInMemory.row(row.id(), 10, "1") : row);

    assertThat(proveInBatchesOf(300).trouble())
        .startsWith("at least 1 of its rows are in no settled slot, such as row 100 of");
  }

  @Test
  void rowsThatComeBetweenTwoBatchesDoNotFillTheMemory() throws Exception {
    recordIdsThatWereGivenOutBefore(100);
    int[] reads = {0};
    log.beforeRead =
        () -> {
          if (++reads[0] == 2) { // Of the first look.
            log.insert(LongStream.generate(() -> 12).limit(150).toArray());
          }
        };

    assertThat(proveInBatchesOf(150).trouble())
        .isEqualTo("rows came into it while it was compared with the log");
  }

  /** The proof stands for as long as all objects are there that were needed. */
  @Test
  void whatIsProvedOneByOneNeedsTheSlotsOfTheOtherRowsToo() throws Exception {
    recordIdsThatWereGivenOutBefore(10);
    log.insert(LongStream.generate(() -> 11).limit(500).toArray());
    log.record("12:12:", 1_000);
    log.insert(12);
    log.record("13:13:", 1_000);
    log.handoff.removeIf(row -> row.id() > 10 && row.id() < 256);

    assertThat(proveInBatchesOf(300).upTo()).isEqualTo(4);
  }

  private Comparison proveInBatchesOf(int rows) throws Exception {
    return new Containment(log, LogInMemory.LAYOUT, log, () -> true, ReadingRoom.UNLIMITED)
        .inBatchesOf(rows)
        .prove(log, 1);
  }

  private AuditResult verify() throws Exception {
    return new LogVerifier(log, LogInMemory.LAYOUT, log, log).verify(1);
  }

  /** Of the rows of the first block. */
  private Comparison prove(long from, BooleanSupplier goesOn) throws Exception {
    return prove(from, goesOn, ReadingRoom.UNLIMITED);
  }

  private Comparison prove(long from, BooleanSupplier goesOn, ReadingRoom room) throws Exception {
    List<HandoffRow> all = List.copyOf(log.handoff);
    log.handoff.removeIf(row -> Block.of(row.id()) != 0);
    try {
      return new Containment(log, LogInMemory.LAYOUT, log, goesOn, room).prove(log, from);
    } finally {
      log.handoff.clear();
      log.handoff.addAll(all);
    }
  }
}
