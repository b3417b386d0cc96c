package dev.recorder.app.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import dev.recorder.requests.WorkUnit;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/** {@code handler = jobs}: keeps books on who was at work on what. */
public final class JobHandlers implements RequestHandlerProvider {
  private static final int LONG_PERCENT = 2;

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public RequestHandler create(RecorderName recorder) {
    JobBook book = JobBook.fromProperties();
    return unit -> handle(unit, book);
  }

  /** Enters, works for some milliseconds, now and then for longer, and leaves. */
  private static Outcome handle(WorkUnit unit, JobBook book) throws InterruptedException {
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
