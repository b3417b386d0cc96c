package dev.recorder.reader;

import static dev.recorder.reader.LogReaderTest.fails;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.reader.LogReadException.LogReadErrorKind;
import dev.recorder.slotlog.Compression;
import dev.recorder.testing.Patience;
import dev.recorder.testing.servers.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A reader that goes on at the log's end; one that should fail and does not would wait for ever.
 */
@Timeout(60)
class FollowingReaderTest {
  private static final Duration OFTEN = Duration.ofMillis(1);

  private final MemoryStore store = new MemoryStore();
  private final WrittenLog log = new WrittenLog(store, Compression.GZIP);
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private LogReader reader = reader().open();

  private LogReaderBuilder reader() {
    return log.reader().follow(OFTEN).onTrouble(troubles::add);
  }

  private void openLookingAround() {
    open(reader().lookAroundEvery(Duration.ZERO));
  }

  private void open(LogReaderBuilder builder) {
    reader.close();
    reader = builder.open();
  }

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void givesOutWhatComesWhileItWaits() {
    log.write(1, 2);
    assertThat(reader.next().slot()).isEqualTo(1);
    CompletableFuture<Long> second = nextLater();
    await().until(() -> log.askedFor(2) > 2);

    log.write(2, 1);

    assertThat(second).succeedsWithin(Patience.A_MINUTE).isEqualTo(2L);
  }

  @Test
  void asksForOneSlotAtATimeWhereTheLogEnds() {
    IntStream.rangeClosed(1, 8).forEach(slot -> log.write(slot, 1));
    IntStream.rangeClosed(1, 8).forEach(slot -> reader.next());
    CompletableFuture<Long> ninth = nextLater();
    await().until(() -> log.askedFor(9) > 20);

    assertThat(log.askedFor(10)).isLessThanOrEqualTo(1);
    log.write(9, 1);
    assertThat(ninth).succeedsWithin(Patience.A_MINUTE).isEqualTo(9L);
  }

  @Test
  void endsWhenSomebodyClosesIt() {
    CompletableFuture<Boolean> more = CompletableFuture.supplyAsync(reader::hasNext);
    await().until(() -> log.askedFor(1) > 2);

    reader.close();

    assertThat(more).succeedsWithin(Patience.A_MINUTE).isEqualTo(false);
  }

  @Test
  void triesOnWhileTheStoreGivesNoAnswerAndSaysSoOnce() {
    log.write(1, 1);
    log.silence(log.layout.slotKey(1));
    CompletableFuture<Long> first = nextLater();
    await().until(() -> log.askedFor(1) > 3);

    log.answer();

    assertThat(first).succeedsWithin(Patience.A_MINUTE).isEqualTo(1L);
    assertThat(troubles).hasSize(2);
    assertThat(troubles.get(0)).contains(log.layout.slotKey(1), "retrying");
    assertThat(troubles.get(1)).contains("answers again");
  }

  @Test
  void givesUpWhenItsPatienceIsAtAnEnd() {
    log.write(1, 1);
    log.silence(log.layout.slotKey(1));
    open(reader().patience(Duration.ofMillis(20)));

    fails(LogReadErrorKind.UNREACHABLE, reader::hasNext, log.layout.slotKey(1));
  }

  @Test
  void isAsPatientWhenItIsAskedAgain() {
    log.write(1, 1);
    log.silence(log.layout.slotKey(1));
    open(reader().patience(Duration.ofMillis(20)));
    fails(LogReadErrorKind.UNREACHABLE, reader::hasNext, log.layout.slotKey(1));
    troubles.clear();

    fails(LogReadErrorKind.UNREACHABLE, reader::hasNext, log.layout.slotKey(1));

    assertThat(troubles).singleElement().asString().contains("retrying");
  }

  @Test
  void doesNotTryOnWithoutARight() {
    log.refuse();

    fails(LogReadErrorKind.RIGHTS, reader::hasNext, "was refused");
    assertThat(troubles).isEmpty();
  }

  @Test
  void seesThatASlotIsMissingByTheOneBehindIt() {
    openLookingAround();
    log.write(1, 1);
    reader.next();
    log.write(3, 1);

    fails(LogReadErrorKind.MISSING, reader::hasNext, log.layout.slotKey(2));
  }

  @Test
  void seesByTheDatabaseThatSlotsWereDeletedWhileItSlept() {
    open(
        reader()
            .lookAroundEvery(Duration.ZERO)
            .bounds(() -> Optional.of(new LogBounds.Bounds(50, 60))));
    log.write(50, 1);

    fails(LogReadErrorKind.MISSING, reader::hasNext, "begins with slot 50", "slot 1");
  }

  @Test
  void takesASlotThatIsSettledButNotThereYetAsSoonAsItIs() {
    open(
        reader()
            .lookAroundEvery(Duration.ZERO)
            .bounds(
                () -> {
                  if (log.askedFor(1) == 1) {
                    log.write(1, 1); // Between the reader's GET and its look at the database.
                  }
                  return Optional.of(new LogBounds.Bounds(1, 1));
                }));

    assertThat(reader.next().slot()).isEqualTo(1);
  }

  @Test
  void noticesThatTheBucketHoldsAnotherLogByNow() {
    openLookingAround();
    log.write(1, 1);
    reader.next();
    UUID other = new UUID(7, 7);
    store.overwrite(
        log.layout.identityKey(),
        ("{\"log\":\"" + other + "\"}").getBytes(StandardCharsets.UTF_8),
        Map.of());

    fails(LogReadErrorKind.FOREIGN, reader::hasNext, log.layout.identityKey(), other.toString());
  }

  @Test
  void noticesThatTheBucketHoldsNoLogAnyMore() {
    openLookingAround();
    log.write(1, 1);
    reader.next();
    store.delete(log.layout.identityKey());

    fails(LogReadErrorKind.FOREIGN, reader::hasNext, log.layout.identityKey(), "is missing");
  }

  private CompletableFuture<Long> nextLater() {
    return CompletableFuture.supplyAsync(() -> reader.next().slot());
  }
}
