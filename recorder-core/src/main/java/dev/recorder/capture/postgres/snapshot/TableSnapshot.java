package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.postgres.snapshot.SnapshotBook.SnapshotPart;
import dev.recorder.time.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Hands over the existing rows of a captured table once, in chunks. The transaction of a chunk also
 * stores the progress, so that after a crash the snapshot continues where it stopped.
 *
 * <p>A chunk is a range of places in the table. Its rows are locked against changes before they get
 * their number. So an earlier change has a smaller number and is contained in the rows read, and a
 * later change has a greater number. If the snapshot misses a row, a captured change has inserted
 * the row or moved it to its place. {@code VACUUM FULL} and {@code CLUSTER} move rows without a
 * captured change, but give the table a new file. Then the table is read from its beginning.
 *
 * <p>Two sessions hand chunks over in parallel and commit in turns. The order in which two chunks
 * get their numbers does not matter: they have no row in common, and each row's number is taken
 * while the row is locked.
 *
 * <p>A table without a key is locked and handed over in one transaction, which must be short.
 */
public final class TableSnapshot {
  private final Connection connection;
  private final CaptureNames names;
  private final CaptureRule rule;
  private final SnapshotState.SnapshotProgress progress;
  private final SnapshotSession session;
  private final SecondSession second;

  /**
   * Creates the snapshot of one table.
   *
   * @param rule the rule of its capture, as it was set up
   * @param another opens a second session; empty if the server refuses it
   */
  public TableSnapshot(
      Connection connection,
      CaptureNames names,
      CaptureRule rule,
      SnapshotState.SnapshotProgress progress,
      Supplier<Optional<Connection>> another) {
    this.connection = connection;
    this.names = names;
    this.rule = rule;
    this.progress = progress;
    AtomicInteger changes = new AtomicInteger();
    this.session = new SnapshotSession(connection, rule, changes);
    this.second = new SecondSession(names, rule, another, changes);
  }

  /**
   * Hands over all rows, or the remaining rows of an interrupted snapshot.
   *
   * @param anew whether to begin a new snapshot in any case
   */
  public void run(boolean anew) throws SQLException, RefusedCaptureException, InterruptedException {
    try (SecondSession closedAtTheEnd = second) {
      takeIt(anew);
    }
  }

  private void takeIt(boolean anew)
      throws SQLException, RefusedCaptureException, InterruptedException {
    session.lock();
    boolean goesOn = !anew;
    boolean isDone = false;
    while (!isDone) {
      SnapshotSource source = SnapshotSource.read(connection, names, rule);
      if (!source.prepare(session)) {
        continue;
      }
      SnapshotBook book = new SnapshotBook(connection, names, rule, source.oid());
      if (!source.hasKey()) {
        isDone = new KeylessSnapshot(session, source, book).run();
      } else {
        Optional<Long> open = goesOn ? book.open() : Optional.empty();
        Optional<Long> begun = open.isPresent() ? open : begin(source, book);
        goesOn = goesOn || begun.isPresent();
        isDone = begun.isPresent() && handOver(source, book, begun.get());
      }
      session.run(source.statements().drop());
      second.end(source);
    }
    session.unlock();
  }

  private Optional<Long> begin(SnapshotSource source, SnapshotBook book)
      throws SQLException, RefusedCaptureException, InterruptedException {
    return session.transact(
        source,
        () -> {
          session.run(source.keepDefinition());
          if (!session.has(source)) {
            return Optional.empty();
          }
          // The first statement that writes: transactions that it does not see have greater
          // numbers.
          long begun = session.number(source.statements().begin(source.name()));
          return book.begin(source, begun) ? Optional.of(begun) : Optional.empty();
        });
  }

  /**
   * Hands over all parts. Returns false if the table or its capture has changed, so that both must
   * be read again.
   */
  private boolean handOver(SnapshotSource source, SnapshotBook book, long begun)
      throws SQLException, RefusedCaptureException, InterruptedException {
    SnapshotLane own = new SnapshotLane(session, source, book, begun);
    Optional<SnapshotLane> other = Optional.empty();
    Optional<SnapshotPart> next = book.part(begun);
    while (next.isPresent()) {
      SnapshotPart part = next.get();
      ChunkOrder order = new ChunkOrder(part.next(), part.end(), Ticker.system());
      if (other.isEmpty() && part.end() - part.next() > session.size().places()) {
        other = second.lane(source, begun);
      }
      if (other.isPresent()) {
        second.beside(own, other.get(), part, order, progress);
      } else {
        own.handOver(part, order, progress);
      }
      if (!order.isDone()) {
        return false;
      }
      book.endPart(begun, part);
      next = book.part(begun);
    }
    return end(source, book, begun);
  }

  private boolean end(SnapshotSource source, SnapshotBook book, long begun)
      throws SQLException, RefusedCaptureException, InterruptedException {
    return session
        .transact(
            source,
            () -> {
              session.run(source.keepDefinition());
              if (!session.has(source) || !book.end(begun, source.fingerprint(), 0)) {
                return Optional.empty();
              }
              return Optional.of(session.run(source.statements().end(source.name(), begun)));
            })
        .isPresent();
  }
}
