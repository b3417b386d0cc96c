package dev.recorder.replay.postgres;

import static dev.recorder.replay.postgres.ReplaySite.account;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.reader.LogSlot;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayResult;
import dev.recorder.replay.postgres.ReplaySite.Transaction;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Transactions that change the same rows in turns: the one that began first, and whose rows the log
 * has first, changes them last. Each test shows, too, what becomes of that in the log's own order.
 */
class ReplayOrderIT {
  private static final String ACCOUNT = "public.account";
  private static final String DELETED = ",\"key\":{\"id\":%d}";
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
    site.change("insert", ACCOUNT, account(1, "first"));
    site.source.record(ALL);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void theLastChangeOfARowStandsWhicheverTransactionBeganFirst() throws Exception {
    changeInTurns();
    site.source.record(ALL);
    assertThat(site.slots()).hasSize(2);

    site.replay();

    assertThat(site.accounts()).containsExactly("1=of the older", "2=other");
  }

  @Test
  void byTransactionsTheEarlierChangeWouldStand() throws Exception {
    changeInTurns();
    site.source.record(ALL);

    site.replay(StagedChanges.NONE);

    assertThat(site.accounts()).containsExactly("1=of the younger", "2=other");
  }

  @Test
  void aWindowThatTakesSeveralSlotsIsReplayedAtItsEnd() throws Exception {
    changeInTurns();
    site.source.record(2);
    assertThat(site.slots()).hasSize(3);
    assertThat(site.slots().get(1).window().orElseThrow().ends()).isFalse();

    site.replay();

    assertThat(site.accounts()).containsExactly("1=of the older", "2=other");
  }

  @Test
  void slotBySlotTheEarlierChangeWouldStand() throws Exception {
    changeInTurns();
    site.source.record(2);

    try (JdbcReplayTarget target = site.open()) {
      target.position();
      for (LogSlot slot : site.slots()) {
        target.stage(slot);
        target.apply(ReplayPosition.of(slot.slot() + 1));
      }
    }

    assertThat(site.accounts()).containsExactly("1=of the younger", "2=other");
  }

  /** Another host goes on in the middle of the window, with rows that came meanwhile behind it. */
  @Test
  void aTakeoverInTheMiddleOfAWindowEndsItWhereItWouldHaveEnded() throws Exception {
    changeInTurns();
    site.source.record(2, 1);
    site.change("insert", ACCOUNT, account(3, "later"));
    ReplayResult first = site.replay();
    assertThat(first.openSlots()).isEqualTo(1);
    assertThat(site.accounts()).containsExactly("1=first");

    site.source.record(1, 1);
    ReplayResult second = site.replay();

    assertThat(second.openSlots()).isZero();
    assertThat(second.stepsBefore()).isEmpty();
    assertThat(site.accounts()).containsExactly("1=of the older", "2=other");
  }

  @Test
  void aTruncationTakesWhatWasThereAndNotWhatComesAfter() throws Exception {
    truncateAfterAnInsert();
    site.source.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactly("4=after it");
  }

  @Test
  void byTransactionsATruncationWouldLeaveARow() throws Exception {
    truncateAfterAnInsert();
    site.source.record(ALL);

    site.replay(StagedChanges.NONE);

    assertThat(site.accounts()).containsExactly("3=before it", "4=after it");
  }

  @Test
  void aTruncationInTheMiddleOfAWindowOfSeveralSlots() throws Exception {
    truncateAfterAnInsert();
    site.source.record(1);
    assertThat(site.slots()).hasSizeGreaterThan(4);

    site.replay();

    assertThat(site.accounts()).containsExactly("4=after it");
  }

  @Test
  void statementsOfOneTransactionTakeEffectOneAfterTheOther() throws Exception {
    try (Transaction one = site.begin()) {
      one.change("delete", ACCOUNT, ",\"key\":{\"id\":1}")
          .change("insert", ACCOUNT, account(1, "again"))
          .change("update", ACCOUNT, account(1, "changed"))
          .change("insert", ACCOUNT, account(5, "short"))
          .change("delete", ACCOUNT, ",\"key\":{\"id\":5}")
          .commit();
    }
    site.source.record(2);

    site.replay();

    assertThat(site.accounts()).isEqualTo(List.of("1=changed"));
  }

  /** As foreign keys make it, which set a column to null and then delete the row. */
  @Test
  void anUpdateBehindADeleteOfItsOwnTransactionCreatesNothing() throws Exception {
    try (Transaction one = site.begin()) {
      one.change("insert", ACCOUNT, account(5, "short"))
          .change("delete", ACCOUNT, DELETED.formatted(1))
          .change("delete", ACCOUNT, DELETED.formatted(5))
          .change("update", ACCOUNT, account(1, "risen"))
          .change("update", ACCOUNT, account(5, "risen"))
          .change("update", ACCOUNT, account(5, "risen again"))
          .commit();
    }
    site.source.record(2);

    site.replay();

    assertThat(site.accounts()).isEmpty();
  }

  @Test
  void anInsertBehindThemDoes() throws Exception {
    try (Transaction one = site.begin()) {
      one.change("delete", ACCOUNT, DELETED.formatted(1))
          .change("update", ACCOUNT, account(1, "risen"))
          .change("insert", ACCOUNT, account(1, "put"))
          .change("update", ACCOUNT, account(1, "changed"))
          .commit();
    }
    site.source.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactly("1=changed");
  }

  /** A snapshot begins while the statement's triggers run. */
  @Test
  void anUpdateBehindADeleteOfItsTransactionCreatesNothingAlsoBehindWhatComesBetween()
      throws Exception {
    try (Transaction one = site.begin()) {
      one.change("delete", ACCOUNT, DELETED.formatted(1));
      one.change("delete", ACCOUNT, DELETED.formatted(3));
      one.change("insert", ACCOUNT, account(3, "put"));
      site.account();
      one.change("update", ACCOUNT, account(1, "risen"));
      one.change("update", ACCOUNT, account(3, "changed")).commit();
    }
    site.source.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactly("3=changed");
  }

  /** It was put without being captured; or a snapshot relies on its changes, and passes it over. */
  @Test
  void anUpdateOfARowThatTheLogHasNotPutCreatesIt() throws Exception {
    site.change("delete", ACCOUNT, DELETED.formatted(1));
    site.change("update", ACCOUNT, account(1, "of another transaction"));
    site.change("update", ACCOUNT, account(2, "of none"));
    site.source.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactly("1=of another transaction", "2=of none");
  }

  /** The older transaction writes first, the younger commits first, and the older goes on. */
  private void changeInTurns() throws Exception {
    try (Transaction older = site.begin();
        Transaction younger = site.begin()) {
      older.change("insert", ACCOUNT, account(2, "other"));
      younger.change("update", ACCOUNT, account(1, "of the younger")).commit();
      older.change("update", ACCOUNT, account(1, "of the older")).commit();
    }
  }

  private void truncateAfterAnInsert() throws Exception {
    try (Transaction older = site.begin();
        Transaction younger = site.begin()) {
      older.change("insert", ACCOUNT, account(2, "other"));
      younger.change("insert", ACCOUNT, account(3, "before it")).commit();
      older.change("truncate", ACCOUNT, "");
      older.change("insert", ACCOUNT, account(4, "after it")).commit();
    }
  }
}
