package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.postgres.snapshot.ChunkOrder.PlaceRange;
import dev.recorder.capture.postgres.snapshot.ChunkOrder.Turn;
import dev.recorder.capture.postgres.snapshot.SnapshotBook.Chunk;
import dev.recorder.capture.postgres.snapshot.SnapshotBook.SnapshotPart;
import dev.recorder.capture.postgres.snapshot.SnapshotSession.RowsRead;
import dev.recorder.postgres.sql.Quoted;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * One session's share of a snapshot: it hands over chunks of a part until none are left. Several
 * lanes may run in parallel. A lane commits a chunk only when all earlier chunks are handed over.
 * While the chunk's rows are locked, it waits for its turn only as long as for a lock, since
 * writers may be waiting for these rows.
 *
 * <p>For one thread.
 */
final class SnapshotLane {
  /** Longest single wait for the turn without holding locks. */
  private static final Duration WITHOUT_LOCKS = Duration.ofMinutes(1);

  private final SnapshotSession session;
  private final SnapshotSource source;
  private final SnapshotBook book;
  private final long begun;

  SnapshotLane(SnapshotSession session, SnapshotSource source, SnapshotBook book, long begun) {
    this.session = session;
    this.source = source;
    this.book = book;
    this.begun = begun;
  }

  /** The turn of a chunk that was read did not come in time, or the order has ended. */
  private static final class OutOfTurn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfTurn() {
      super(null, null, false, false);
    }
  }

  /** Hands chunks over until none are left. Ends the order if the table or capture has changed. */
  void handOver(SnapshotPart part, ChunkOrder order, SnapshotState.SnapshotProgress progress)
      throws SQLException, RefusedCaptureException, InterruptedException {
    boolean isWell = false;
    try {
      Optional<PlaceRange> range = order.take(session.size().places());
      while (range.isPresent()) {
        if (!handOver(part, range.get(), order, progress)) {
          return;
        }
        range = order.take(session.size().places());
      }
      isWell = true;
    } finally {
      if (!isWell) {
        order.end();
      }
    }
  }

  private boolean handOver(
      SnapshotPart part,
      PlaceRange range,
      ChunkOrder order,
      SnapshotState.SnapshotProgress progress)
      throws SQLException, RefusedCaptureException, InterruptedException {
    long from = range.from();
    while (from < range.to()) {
      PlaceRange rest = new PlaceRange(from, range.to());
      Optional<Handed> handed;
      try {
        handed =
            session.transact(
                session.size().limit(),
                connection ->
                    source.isAsRead(connection) && book.isAt(begun, source.fingerprint(), part),
                () -> chunk(part, rest, order));
      } catch (OutOfTurn late) {
        if (!comes(order, from)) {
          return false;
        }
        continue;
      }
      if (handed.isEmpty()) {
        return false;
      }
      session.gotOn();
      progress.at(handed.get().chunk().rows(), handed.get().chunk().percent());
      from = handed.get().next();
      order.handedOver(from);
    }
    return true;
  }

  /** Waits without a time limit: the lane with the earlier places always signals in the end. */
  private static boolean comes(ChunkOrder order, long from) throws InterruptedException {
    Turn turn = Turn.NOT_YET;
    while (turn == Turn.NOT_YET) {
      turn = order.await(from, WITHOUT_LOCKS);
    }
    return turn == Turn.COME;
  }

  /** A chunk that was handed over, and the place where the next one begins. */
  private record Handed(Chunk chunk, long next) {}

  private Optional<Handed> chunk(SnapshotPart part, PlaceRange range, ChunkOrder order)
      throws SQLException, RefusedCaptureException, InterruptedException {
    if (order.isEnded()) {
      throw new OutOfTurn(); // Also after a failure: no retry.
    }
    session.run(source.statements().hold(part.name()));
    if (!book.isAt(begun, source.fingerprint(), part)) {
      return Optional.empty();
    }
    session.requireOwnCode(source, part.oid());
    long places = session.size().places();
    long end = Math.min(range.to(), range.from() + places);
    RowsRead read =
        session.read(source.statements().chunk(part.name(), tid(range.from()), tid(end)));
    if (order.await(range.from(), SnapshotSession.WAITS) != Turn.COME) {
      throw new OutOfTurn();
    }
    SnapshotPart from = new SnapshotPart(part.oid(), part.name(), part.end(), range.from());
    Optional<Chunk> chunk = book.advance(begun, source.fingerprint(), from, end, read.rows());
    if (chunk.isPresent() && end - range.from() == places) {
      session.size().took(read.millis(), read.rows());
    }
    return chunk.map(taken -> new Handed(taken, end));
  }

  private static String tid(long place) {
    int perBlock = ChunkSize.PLACES_PER_BLOCK;
    return Quoted.literal("(" + place / perBlock + "," + place % perBlock + ")") + "::tid";
  }
}
