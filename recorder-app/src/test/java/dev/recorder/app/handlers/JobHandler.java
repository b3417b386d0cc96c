package dev.recorder.app.handlers;

import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.WorkUnit;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/** Enters, works for some milliseconds, now and then for longer, and leaves. */
final class JobHandler implements RequestHandler {
  private static final int LONG_PERCENT = 2;

  private final JobBook book;

  JobHandler(JobBook book) {
    this.book = book;
  }

  @Override
  public Outcome handle(WorkUnit unit) throws InterruptedException {
    try {
      if (!book.enter(unit)) {
        return new Outcome.Retry("a unit with a higher fence was here before");
      }
      ThreadLocalRandom random = ThreadLocalRandom.current();
      boolean takesLong = random.nextInt(100) < LONG_PERCENT;
      Thread.sleep(takesLong ? random.nextInt(200, 1_500) : random.nextInt(1, 12));
      return book.leave(unit)
          ? new Outcome.Complete()
          : new Outcome.Retry("a unit with a higher fence came in meanwhile");
    } catch (SQLException noBook) {
      return new Outcome.Retry("no book to write into: " + noBook.getMessage());
    }
  }
}
