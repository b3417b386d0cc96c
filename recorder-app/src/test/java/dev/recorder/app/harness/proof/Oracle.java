package dev.recorder.app.harness.proof;

import dev.recorder.app.harness.Bucket;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.RecordedSlots;
import dev.recorder.app.harness.proof.Book.State;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Says whether logs have what they must have: each row that a producer has committed exactly once,
 * as it was inserted, and no other, in the promised order, in slots without gaps. Knows what
 * producers have written in their {@link Books} and nothing of the product; reads slot after slot,
 * and goes on when more have come. For one thread, when the producers have ended.
 */
public final class Oracle {
  private static final int MOST_FAULTS = 20;
  private static final Duration POLL = Duration.ofMillis(200);

  private final Books books;
  private final Consumer<String> listener;
  private final List<String> faults = new ArrayList<>();
  private final List<Examination> examinations;

  /** The rows of each transaction that were found so far, a bit each, by book. */
  private final int[][] seen;

  /**
   * @param listener hears of each fault as it is found
   */
  Oracle(Books books, Function<String, RecordedSlots> logs, Consumer<String> listener) {
    this.books = books;
    this.listener = listener;
    this.seen = books.all().stream().map(book -> new int[book.size()]).toArray(int[][]::new);
    this.examinations =
        IntStream.range(0, books.recorders().size())
            .mapToObj(i -> new Examination(i, logs.apply(books.recorders().get(i))))
            .toList();
  }

  /** One that asks the cluster's database for what producers do not know. */
  public static Oracle of(Cluster cluster, Books books, Consumer<String> listener)
      throws SQLException {
    List<String> ofBooks = new ArrayList<>();
    books.resolve(cluster.database(), ofBooks::add);
    Oracle oracle = new Oracle(books, cluster::bucket, listener);
    ofBooks.forEach(fault -> oracle.blame("%s", fault));
    return oracle;
  }

  /** Reads on until every committed row is there; false if it takes longer than that. */
  public boolean awaitRecorded(Duration deadline) throws InterruptedException {
    long start = System.nanoTime();
    while (!isComplete()) {
      if (System.nanoTime() - start > deadline.toNanos()) {
        return false;
      }
      Thread.sleep(POLL.toMillis());
    }
    return true;
  }

  /** Reads what there is, and names the first rows that are lost. */
  public Proof proof() {
    isComplete();
    blameTheLost();
    Proof sum = examinations.stream().map(Examination::figures).reduce(Proof.NOTHING, Proof::and);
    return sum.and(new Proof(0, 0, 0, 0, 0, 0, 0, List.copyOf(faults)));
  }

  private boolean isComplete() {
    examinations.forEach(Examination::goOn);
    return examinations.stream().allMatch(each -> each.lost() <= 0);
  }

  private void blameTheLost() {
    for (Book book : books.all()) {
      for (int i = 0; i < book.size(); i++) {
        int found = seen[book.number()][i];
        if (book.isCommitted(i) && found != book.rows(i)) {
          blame(
              "%s: of transaction %d/%d rows are lost: committed %x, found %x (bits)",
              books.recorders().get(book.recorder(i)), book.number(), i, book.rows(i), found);
        }
      }
    }
  }

  private void blame(String format, Object... arguments) {
    String fault = String.format(Locale.ROOT, format, arguments);
    if (faults.size() < MOST_FAULTS) {
      faults.add(fault);
    }
    listener.accept(fault);
  }

  /** Of one recorder's log. */
  private final class Examination {
    private final int recorder;
    private final RecordedSlots log;
    private long slots;
    private long epoch;
    private long latestBegin = Long.MIN_VALUE;
    private RowName latestKey = new RowName(-1, -1, -1);
    private long found;
    private long duplicated;
    private long outOfOrder;
    private long foreign;
    private long strays;

    Examination(int recorder, RecordedSlots log) {
      this.recorder = recorder;
      this.log = log;
    }

    Proof figures() {
      long committed = books.rows(recorder);
      return new Proof(
          committed, slots, lost(), duplicated, outOfOrder, foreign, strays, List.of());
    }

    /** Number of rows that should be there and are not. */
    long lost() {
      return books.rows(recorder) - found;
    }

    /** Reads what has come since the last time. */
    void goOn() {
      List<Long> numbers = log.numbers();
      for (long number : numbers.subList((int) Math.min(slots, numbers.size()), numbers.size())) {
        slots++;
        if (number != slots) {
          blameSlot(number, "stands where slot %d should be", slots);
        }
        Bucket.Slot slot = log.slot(number);
        if (slot.epoch() < epoch) {
          blameSlot(number, "is of epoch %d after %d", slot.epoch(), epoch);
        }
        epoch = Math.max(epoch, slot.epoch());
        slot.rows().forEach(row -> examine(number, row));
      }
    }

    private void examine(long slot, Bucket.Row row) {
      if (!row.key().equals(row.payloadKey())) {
        blameSlot(slot, "has row %s with the payload of %s", row.key(), row.payloadKey());
      }
      Optional<RowName> known = RowName.parse(row.key()).filter(this::mayBeThere);
      if (known.isEmpty()) {
        foreign++;
        blameSlot(slot, "has row %s, which nobody committed", row.key());
        return;
      }
      RowName key = known.get();
      int transaction = key.transaction();
      Book book = books.all().get(key.producer());
      int[] seenOfBook = seen[key.producer()];
      int bit = 1 << key.row();
      if ((seenOfBook[transaction] & bit) != 0) {
        duplicated++;
        blameSlot(slot, "has row %s again", key);
        return;
      }
      if (book.isCommitted(transaction)) {
        found++;
      } else {
        strays++;
      }
      examineOrder(slot, key, book);
      seenOfBook[transaction] |= bit;
    }

    private void examineOrder(long slot, RowName key, Book book) {
      int transaction = key.transaction();
      // A later row of its own transaction, or a row of one that began after this one's commit.
      boolean behindItsOwn = seen[key.producer()][transaction] >>> key.row() != 0;
      boolean behindALater = latestBegin > book.ended(transaction);
      if (behindItsOwn || behindALater) {
        outOfOrder++;
        blameSlot(
            slot,
            "has row %s too late, after one of %s",
            key,
            behindItsOwn ? "its own transaction" : latestKey);
      }
      if (book.began(transaction) > latestBegin) {
        latestBegin = book.began(transaction);
        latestKey = key;
      }
    }

    /** Also what was committed and then lost with its database. */
    private boolean mayBeThere(RowName key) {
      if (key.producer() >= seen.length || key.transaction() >= seen[key.producer()].length) {
        return false;
      }
      Book book = books.all().get(key.producer());
      State state = book.state(key.transaction());
      return (state == State.COMMITTED || state == State.GONE)
          && book.recorder(key.transaction()) == recorder
          && (book.rows(key.transaction()) >>> key.row() & 1) == 1;
    }

    private void blameSlot(long slot, String format, Object... arguments) {
      blame(
          "%s: slot %d %s",
          books.recorders().get(recorder), slot, String.format(Locale.ROOT, format, arguments));
    }
  }
}
