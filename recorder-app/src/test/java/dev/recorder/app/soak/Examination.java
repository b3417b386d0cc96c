package dev.recorder.app.soak;

import dev.recorder.app.harness.Bucket;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Compares one recorder's bucket with the ledger, slot after slot, and can go on when more slots
 * have come.
 */
final class Examination {
  private final String recorder;
  private final int index;
  private final Ledger ledger;
  private final Journal journal;
  private long slots;
  private long epoch;
  private long latestBegin = Long.MIN_VALUE;
  private RowKey latestKey = new RowKey(-1, -1, -1);
  private long found;
  private long duplicated;
  private long outOfOrder;
  private long foreign;

  Examination(String recorder, int index, Ledger ledger, Journal journal) {
    this.recorder = recorder;
    this.index = index;
    this.ledger = ledger;
    this.journal = journal;
  }

  /**
   * Reads what has come since the last time.
   *
   * @param numbers of all slots that are there, in order
   */
  void goOn(List<Long> numbers, LongFunction<Bucket.Slot> bucket) {
    for (long number : numbers.subList((int) Math.min(slots, numbers.size()), numbers.size())) {
      slots++;
      if (number != slots) {
        journal.blame("%s: slot %d stands where slot %d should be", recorder, number, slots);
      }
      Bucket.Slot slot = bucket.apply(number);
      if (slot.epoch() < epoch) {
        journal.blame("%s: slot %d is of epoch %d after %d", recorder, number, slot.epoch(), epoch);
      }
      epoch = Math.max(epoch, slot.epoch());
      slot.rows().forEach(row -> examine(number, row));
    }
  }

  /** Names the first rows that are missing. */
  void blameTheLost() {
    for (int application = 0; application < ledger.applications(); application++) {
      Book book = ledger.book(application);
      for (int i = 0; i < book.size(); i++) {
        if (book.isCommitted(i) && book.recorder(i) == index && book.seen(i) != book.rows(i)) {
          journal.blame(
              "%s: of transaction %d/%d rows are lost: committed %x, found %x (bits)",
              recorder, application, i, book.rows(i), book.seen(i));
        }
      }
    }
  }

  long slots() {
    return slots;
  }

  /** Number of rows that should be there and are not. */
  long lost() {
    return ledger.rows(index) - found;
  }

  long duplicated() {
    return duplicated;
  }

  long outOfOrder() {
    return outOfOrder;
  }

  /** Number of rows that nobody committed. */
  long foreign() {
    return foreign;
  }

  private void examine(long slot, Bucket.Row row) {
    if (!row.key().equals(row.payloadKey())) {
      journal.blame(
          "%s: slot %d: row %s carries the payload of %s",
          recorder, slot, row.key(), row.payloadKey());
    }
    Optional<RowKey> known = RowKey.parse(row.key()).filter(this::isCommitted);
    if (known.isEmpty()) {
      foreign++;
      journal.blame("%s: slot %d has row %s, which nobody committed", recorder, slot, row.key());
      return;
    }
    RowKey key = known.get();
    Book book = ledger.book(key.application());
    int transaction = key.transaction();
    int bit = 1 << key.row();
    if ((book.seen(transaction) & bit) != 0) {
      duplicated++;
      journal.blame("%s: slot %d has row %s again", recorder, slot, key);
    } else {
      found++;
      examineOrder(slot, key, book);
      book.see(transaction, key.row());
    }
  }

  private void examineOrder(long slot, RowKey key, Book book) {
    int transaction = key.transaction();
    // A later row of its own transaction, or a row of one that began after this one's commit.
    boolean behindItsOwn = book.seen(transaction) >>> key.row() != 0;
    boolean behindALater = latestBegin > book.ended(transaction);
    if (behindItsOwn || behindALater) {
      outOfOrder++;
      journal.blame(
          "%s: slot %d has row %s too late, after one of %s",
          recorder, slot, key, behindItsOwn ? "its own transaction" : latestKey);
    }
    if (book.began(transaction) > latestBegin) {
      latestBegin = book.began(transaction);
      latestKey = key;
    }
  }

  private boolean isCommitted(RowKey key) {
    if (key.application() >= ledger.applications()
        || key.transaction() >= ledger.book(key.application()).size()) {
      return false;
    }
    Book book = ledger.book(key.application());
    return book.isCommitted(key.transaction())
        && book.recorder(key.transaction()) == index
        && (book.rows(key.transaction()) >>> key.row() & 1) == 1;
  }
}
