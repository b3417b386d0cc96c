package dev.recorder.slotlog;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Term;
import dev.recorder.store.ObjectStore;
import java.util.List;

/** What {@link LedgerContract} needs around a ledger: a recorder, its producers and its tables. */
public interface LedgerFixture extends AutoCloseable {
  /** The layout of the recorder under test. */
  LogLayout layout();

  /** The bucket its ledgers read objects from. */
  ObjectStore store();

  /** Makes the recorder's row name {@code machine} with the next epoch. */
  Term beginTerm(String machine);

  /** A ledger of the term with a data session of its own. */
  Ledger open(Term term, Rotation rotation);

  /** The server ends the data sessions of this term's ledgers; returns when they are gone. */
  void endDataSessions(Term term);

  /** A producer begins a transaction, known to the test by this number. */
  void begin(int transaction);

  /** It inserts a row, which is returned as it stands; the first one gives it its xid. */
  HandoffRow insert(int transaction, String key, String payload);

  void commit(int transaction);

  void abort(int transaction);

  /** The first phase of a commit in two. */
  void prepare(int transaction);

  /** The second phase. */
  void commitPrepared(int transaction);

  /** The recorder is paused until an hour from now, or not any more. */
  void pause(boolean paused);

  /** Which database its ledgers are in. */
  DatabaseIdentity database();

  /** As after a promotion: the last slot was settled on another timeline than the server's. */
  void beginTimeline();

  /** The server is started: the last slot of its own was settled before that. */
  void restart();

  /** Where the recorder's row says the log stands. */
  LogHead head();

  /** The rows of {@code slots} for this slot. */
  List<PlannedSlot> planned(long slot);

  @Override
  void close();

  /** A row of {@code slots}. */
  record PlannedSlot(String sha256, boolean hasWindow, int rows) {}
}
