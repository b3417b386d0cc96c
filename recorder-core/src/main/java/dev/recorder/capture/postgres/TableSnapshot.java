package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.SnapshotBook.Chunk;
import dev.recorder.capture.postgres.SnapshotBook.Part;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/**
 * Hands over the rows that a captured table has, once: in chunks, each in a transaction together
 * with how far it is, so that it goes on after a crash where it was.
 *
 * <p>A chunk is a range of places in the table. Its rows are locked against changes, and get their
 * number after that: a change before it has a smaller number and is in what was read, a later one
 * has a greater number. A row that is not met has come, or come there, by a change that is
 * captured; where rows move without one ({@code VACUUM FULL}, {@code CLUSTER}), the table's file is
 * another, and it is read from its beginning.
 *
 * <p>A table without a key is locked, and handed over in one transaction that must be short.
 */
final class TableSnapshot {
  private final Connection connection;
  private final CaptureNames names;
  private final CaptureRule rule;
  private final SnapshotState.Progress progress;
  private final SnapshotSession session;

  /**
   * The snapshot of one table.
   *
   * @param rule of its capture, as it was set up
   */
  TableSnapshot(
      Connection connection,
      CaptureNames names,
      CaptureRule rule,
      SnapshotState.Progress progress) {
    this.connection = connection;
    this.names = names;
    this.rule = rule;
    this.progress = progress;
    this.session = new SnapshotSession(connection, rule);
  }

  /**
   * Hands over all rows, or those that are left of a snapshot that was broken off.
   *
   * @param anew whether a new one begins in any case
   */
  void run(boolean anew) throws SQLException, RefusedCaptureException, InterruptedException {
    session.lock();
    boolean goesOn = !anew;
    boolean isDone = false;
    while (!isDone) {
      SnapshotSource source = SnapshotSource.read(connection, names, rule);
      for (String statement : source.statements().prepare(source.name(), source.oid())) {
        session.run(statement);
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
    }
    session.unlock();
  }

  private Optional<Long> begin(SnapshotSource source, SnapshotBook book)
      throws SQLException, RefusedCaptureException, InterruptedException {
    return session.transact(
        () -> {
          session.run("LOCK TABLE ONLY " + source.name().quoted() + " IN ACCESS SHARE MODE");
          // The first that writes: what it does not see has a greater number of a transaction.
          long begun = session.number(source.statements().begin(source.name()));
          return book.begin(source, begun) ? Optional.of(begun) : Optional.empty();
        });
  }

  /** Whether all is handed over; if not, something has changed, and all is to be read anew. */
  private boolean handOver(SnapshotSource source, SnapshotBook book, long begun)
      throws SQLException, RefusedCaptureException, InterruptedException {
    Optional<Part> part = book.part(begun);
    while (part.isPresent()) {
      if (part.get().isDone()) {
        book.endPart(begun, part.get());
        part = book.part(begun);
      } else {
        Part before = part.get();
        Optional<Handed> handed = session.transact(() -> chunk(source, book, begun, before));
        if (handed.isEmpty()) {
          return false;
        }
        progress.at(handed.get().chunk().rows(), handed.get().chunk().percent());
        part = handed.map(Handed::next);
      }
    }
    return end(source, book, begun);
  }

  /** A chunk, and where the next one begins. */
  private record Handed(Chunk chunk, Part next) {}

  private Optional<Handed> chunk(SnapshotSource source, SnapshotBook book, long begun, Part part)
      throws SQLException {
    if (session.size().isLeast()) {
      session.allowForOneRow();
    }
    long places = session.size().places();
    long end = Math.min(part.end(), part.next() + places);
    int rows = session.run(source.statements().chunk(part.name(), tid(part.next()), tid(end)));
    Optional<Chunk> chunk = book.advance(begun, source.fingerprint(), part, end, rows);
    if (end - part.next() == places) {
      chunk.ifPresent(taken -> session.size().took(taken.millis()));
    }
    return chunk.map(
        taken -> new Handed(taken, new Part(part.oid(), part.name(), part.end(), end)));
  }

  private static String tid(long place) {
    int perBlock = ChunkSize.PLACES_PER_BLOCK;
    return String.format(Locale.ROOT, "'(%d,%d)'::tid", place / perBlock, place % perBlock);
  }

  private boolean end(SnapshotSource source, SnapshotBook book, long begun)
      throws SQLException, RefusedCaptureException, InterruptedException {
    return session
        .transact(
            () -> {
              session.run("LOCK TABLE ONLY " + source.name().quoted() + " IN ACCESS SHARE MODE");
              if (!book.end(begun, source.fingerprint(), 0)) {
                return Optional.empty();
              }
              return Optional.of(session.run(source.statements().end(source.name(), begun)));
            })
        .isPresent();
  }
}
