package dev.recorder.s3;

import dev.recorder.store.ObjectStore.PutAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * Runs writers that start at the same moment.
 *
 * @param threads runs {@value #RACERS} tasks at the same time
 * @param startLimit how long each writer waits for the others
 */
record ConcurrentWriters(Executor threads, Duration startLimit) {
  static final int RACERS = 16;
  private static final int RACE_MINUTES = 5;

  /**
   * Runs {@code contest} for each racer, from 0, and returns the answers in the order of the
   * racers. If some racers started too late, there are fewer than {@value #RACERS} answers, and the
   * race does not count.
   */
  List<PutAnswer> run(IntFunction<PutAnswer> contest) throws InterruptedException {
    CountDownLatch atTheStart = new CountDownLatch(RACERS);
    List<FutureTask<Optional<PutAnswer>>> racers = new ArrayList<>();
    for (int i = 0; i < RACERS; i++) {
      int racer = i;
      racers.add(
          new FutureTask<>(
              () -> {
                atTheStart.countDown();
                return atTheStart.await(startLimit.toMillis(), TimeUnit.MILLISECONDS)
                    ? Optional.of(contest.apply(racer))
                    : Optional.empty();
              }));
    }
    racers.forEach(threads::execute);
    List<PutAnswer> answers = new ArrayList<>();
    for (FutureTask<Optional<PutAnswer>> racer : racers) {
      answer(racer).ifPresent(answers::add);
    }
    return answers;
  }

  private static Optional<PutAnswer> answer(FutureTask<Optional<PutAnswer>> racer)
      throws InterruptedException {
    try {
      return racer.get(RACE_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException | TimeoutException broken) {
      if (broken.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("the race could not be run", broken);
    }
  }
}
