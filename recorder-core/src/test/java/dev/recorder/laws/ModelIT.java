package dev.recorder.laws;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The slot log's promises hold in every reachable state of its models, and each broken rule makes
 * the promise fall that it is there for. The numbers of states tell that nothing was left out. None
 * of the product's code runs here: in a build {@code SimulationTest}, {@code MutationTest} and
 * {@code CommitRunTest} hold it to the same promises.
 */
@Tag("nightly")
class ModelIT {
  private static final Duration SHORT = Duration.ofMinutes(5);
  private static final Duration LONG = Duration.ofMinutes(60);

  private static ModelChecker checker;

  @BeforeAll
  static void copyTheModels() throws IOException {
    checker = new ModelChecker();
  }

  @AfterAll
  static void removeTheCopy() throws IOException {
    checker.close();
  }

  @Test
  void threeRowsOfOneDatabaseAreInOneSlotEach() throws Exception {
    assertHolds(checker.explore("SlotLog", "ok31", SHORT), 112_924);
  }

  @Test
  void rowsAreInOneSlotEachWhenADatabaseIsReplacedByACopyOfAnother() throws Exception {
    assertHolds(checker.explore("SlotLog", "ok22", SHORT), 17_530);
  }

  @Test
  @Tag("long")
  void threeRowsAreInOneSlotEachWhenADatabaseIsReplacedByACopyOfAnother() throws Exception {
    assertHolds(checker.explore("SlotLog", "ok32", LONG), 8_354_662);
  }

  @Test
  @Tag("long")
  void contentMayBeBuiltAheadWhileTheSlotBeforeIsUnderWay() throws Exception {
    assertHolds(checker.explore("Ahead", "a31", SHORT), 285_189);
  }

  @Test
  void contentMayBeBuiltAheadWhenADatabaseIsReplacedByACopyOfAnother() throws Exception {
    assertHolds(checker.explore("Ahead", "a22", SHORT), 27_444);
  }

  @Test
  @Tag("long")
  void windowsAreBelievedWhereTheSlotsRowIsAndTransactionNumbersMayBeIssuedTwice()
      throws Exception {
    assertHolds(checker.explore("Plan", "plan", LONG), 14_553_564);
  }

  @Test
  void aPlainPutChangesAnObjectThatIsThere() throws Exception {
    assertFalls(checker.refute("SlotLog", "nocond"), "Immut");
  }

  @Test
  void aReadThatDoesNotAskForTheLastSlotRecordsARowTwice() throws Exception {
    assertFalls(checker.refute("SlotLog", "noguard"), "Once");
  }

  @Test
  void aSettleThatDoesNotAskForTheLastSlotRecordsARowTwice() throws Exception {
    assertFalls(checker.refute("SlotLog", "nocas"), "Once");
  }

  @Test
  void aSlotThatIsSentBeforeTheOneBeforeItIsSettledLeavesAHole() throws Exception {
    assertFalls(checker.refute("Ahead", "asend"), "NoGap");
  }

  @Test
  void contentThatIsKeptAfterAConflictRecordsARowTwice() throws Exception {
    assertFalls(checker.refute("Ahead", "akeep"), "Once");
  }

  @Test
  void anyObjectsWindowBelievedLosesARow() throws Exception {
    assertFalls(checker.refute("Plan", "planwin"), "NoLoss");
  }

  @Test
  void aLeafIsEmptiedOfWhatTheLogHasAndOfNothingElse() throws Exception {
    assertHolds(checker.explore("Clearing", "c22", SHORT), 66_298);
  }

  @Test
  void aTableHasEachSlotInOneFileWhoeverCommits() throws Exception {
    assertHolds(checker.explore("Table", "t22", SHORT), 47_333);
  }

  @Test
  void aTableWhoseFilesAreMergedHasEachSlotInOneFile() throws Exception {
    assertHolds(checker.explore("Table", "t23", SHORT), 131_478);
  }

  @Test
  void aCommitThatReplacesAnotherChangesTheTablesPast() throws Exception {
    assertFalls(checker.refute("Table", "tcond"), "Immut");
  }

  @Test
  void whoBelievesAnOldHintOfTheTablePutsSlotsInTwice() throws Exception {
    assertFalls(checker.refute("Table", "tfresh"), "Once");
  }

  @Test
  void whoGoesOnWhileACommitIsUnknownLeavesSlotsOut() throws Exception {
    assertFalls(checker.refute("Table", "tknown"), "Once");
  }

  @Test
  void aNameWithoutAHashIsOfOtherBytes() throws Exception {
    assertFalls(checker.refute("Table", "thash"), "Named");
  }

  @Test
  void aCommitThatIsSentBeforeItsFileNamesNothing() throws Exception {
    assertFalls(checker.refute("Table", "tawait"), "Named");
  }

  @Test
  void aMergeThatLeavesRowsOutLosesASlot() throws Exception {
    assertFalls(checker.refute("Table", "tsame"), "Once");
  }

  @Test
  void aLeafThatIsNotLookedAtAgainLosesARow() throws Exception {
    assertFalls(checker.refute("Clearing", "clook"), "NoLoss");
  }

  @Test
  void aLeafThatIsReadByTheIndexLosesARow() throws Exception {
    assertFalls(checker.refute("Clearing", "cindex"), "NoLoss");
  }

  @Test
  void aLeafThatIsNotLockedLosesARow() throws Exception {
    assertFalls(checker.refute("Clearing", "clock"), "NoLoss");
  }

  @Test
  void aLeafThatIsEmptiedBeforeItsObjectsAreThereLosesARow() throws Exception {
    assertFalls(checker.refute("Clearing", "cearly"), "NoLoss");
  }

  @Test
  void aProofThatIsKeptForAnotherSessionLosesARow() throws Exception {
    assertFalls(checker.refute("Clearing", "csession"), "NoLoss");
  }

  @Test
  void whoDoesNotAskForTheTermEmptiesALeafWhenItIsOver() throws Exception {
    assertFalls(checker.refute("Clearing", "cepoch"), "InTerm");
  }

  private static void assertHolds(Verdict verdict, long states) {
    assertThat(verdict.outcome()).as(verdict.said()).isEqualTo(Verdict.NO_ERROR);
    assertThat(verdict.states()).isEqualTo(states);
  }

  private static void assertFalls(Verdict verdict, String promise) {
    assertThat(verdict.outcome()).as(verdict.said()).isEqualTo(promise);
  }
}
