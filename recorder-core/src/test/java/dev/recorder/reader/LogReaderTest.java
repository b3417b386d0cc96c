package dev.recorder.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.reader.LogReadException.LogReadErrorKind;
import dev.recorder.slotlog.Compression;
import dev.recorder.testing.Bombs;
import dev.recorder.testing.servers.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reader that ends where the log does; {@link FollowingReaderTest} has the other. */
class LogReaderTest {
  private final MemoryStore store = new MemoryStore();
  private final WrittenLog log = new WrittenLog(store, Compression.ZSTD);

  @ParameterizedTest
  @EnumSource
  void givesTheVeryBytesOfAllSlotsInTheirOrder(Compression compression) throws IOException {
    WrittenLog packed = new WrittenLog(new MemoryStore(), compression);
    IntStream.rangeClosed(1, 9).forEach(slot -> packed.write(slot, slot));

    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteArrayOutputStream rowByRow = new ByteArrayOutputStream();
    try (LogReader reader = packed.reader().open()) {
      while (reader.hasNext()) {
        LogSlot slot = reader.next();
        slot.writeTo(all);
        for (LogRow row : slot) {
          row.writeTo(rowByRow);
        }
      }
    }

    String text = all.toString(StandardCharsets.UTF_8);
    assertThat(text.lines()).hasSize(45);
    assertThat(text.lines().map(line -> line.replaceAll(".*\"key\":\"k(\\d+)\".*", "$1")))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 45).mapToObj(Integer::toString).toList());
    assertThat(rowByRow.toByteArray()).isEqualTo(all.toByteArray());
  }

  @Test
  void goesOnBehindAnyRowFromThePositionThatTheRowGave() {
    log.write(1, 3);
    log.write(2, 2);
    log.write(3, 1);
    List<LogRow> all = rows(log.reader());

    for (int done = 1; done <= all.size(); done++) {
      List<LogRow> rest = rows(log.reader().from(all.get(done - 1).next()));

      assertThat(texts(rest)).isEqualTo(texts(all).subList(done, all.size()));
    }
    assertThat(all)
        .extracting(row -> row.next().toString())
        .containsExactly("1:2", "1:3", "2:1", "2:2", "3:1", "4:1");
    assertThat(all)
        .extracting(row -> row.position().toString())
        .containsExactly("1:1", "1:2", "1:3", "2:1", "2:2", "3:1");
  }

  /** Both are whole, and it stays so: whoever reads goes on. */
  @Test
  void aSlotThatDoesNotFollowTheOneBeforeItIsTold() {
    for (long slot = 1; slot <= 4; slot++) {
      log.write(slot, 1);
    }
    store.delete(log.layout.slotKey(2));
    log.write(2, 3);
    List<String> told = new ArrayList<>();

    List<LogRow> rows = rows(log.reader().onTrouble(told::add));

    assertThat(rows).hasSize(6);
    assertThat(told)
        .containsExactly(
            "slot 2 of orders does not follow slot 1: an object was replaced or deleted;"
                + " 'recorder verify orders' tells more",
            "slot 3 of orders does not follow slot 2: an object was replaced or deleted;"
                + " 'recorder verify orders' tells more");
    told.clear();
    rows(log.reader().from(ReaderPosition.of(4)).onTrouble(told::add));
    assertThat(told).isEmpty();
  }

  @Test
  void takesOneRowMoreThanASlotHasForTheNextSlot() {
    log.write(1, 3);
    log.write(2, 1);

    assertThat(texts(rows(log.reader().from(new ReaderPosition(1, 4)))))
        .singleElement()
        .asString()
        .contains("\"k4\"");
    assertThat(rows(log.reader().from(new ReaderPosition(2, 2)))).isEmpty();
  }

  @Test
  void saysThatThereIsNoSuchRow() {
    log.write(1, 3);

    fails(
        LogReadErrorKind.NO_SUCH_ROW,
        () -> rows(log.reader().from(new ReaderPosition(1, 5))),
        "3 rows",
        "1:5");
  }

  @Test
  void endsAtTheSlotThatItWasTold() {
    IntStream.rangeClosed(1, 5).forEach(slot -> log.write(slot, 1));

    assertThat(rows(log.reader().upTo(3))).hasSize(3);
    assertThat(log.askedFor(4)).isZero();
    assertThat(rows(log.reader().upTo(0))).isEmpty();
  }

  @Test
  void aSlotThatIsMissingUpToThatOneIsAGap() {
    log.write(1, 1);

    fails(
        LogReadErrorKind.MISSING,
        () -> rows(log.reader().upTo(2)),
        log.layout.slotKey(2),
        "is missing",
        "recorder verify orders");
  }

  @Test
  void aSlotThatIsMissingBeforeAnotherIsAGapAndNoEnd() {
    log.write(1, 1);
    log.write(3, 1);

    fails(LogReadErrorKind.MISSING, () -> rows(log.reader()), log.layout.slotKey(2), "is missing");
  }

  @Test
  void aSlotBelowTheFirstThatTheDatabaseKnowsHasExpired() {
    IntStream.rangeClosed(4, 5).forEach(slot -> log.write(slot, 1));
    LogBounds bounds = () -> Optional.of(new LogBounds.Bounds(4, 5));

    fails(
        LogReadErrorKind.MISSING,
        () -> rows(log.reader().bounds(bounds)),
        "begins with slot 4",
        "slot 1",
        "has expired");
  }

  @Test
  void anotherLogUnderItsKeysIsNotRead() {
    log.write(1, 1);
    log.write(2, 1, new UUID(7, 7));

    fails(
        LogReadErrorKind.FOREIGN,
        () -> rows(log.reader()),
        log.layout.slotKey(2),
        "is not this log's slot 2");
  }

  @Test
  void anotherLogThanTheDatabasesIsNotRead() {
    log.write(1, 1);

    fails(
        LogReadErrorKind.FOREIGN,
        () -> rows(log.reader().log(new UUID(7, 7))),
        "is not this log's slot 1");
  }

  @Test
  void aBucketWithoutALogIsNoEmptyLog() {
    store.delete(log.layout.identityKey());

    fails(LogReadErrorKind.FOREIGN, () -> rows(log.reader()), log.layout.identityKey(), "prefix");
  }

  @Test
  void aChangedObjectIsNotRead() {
    log.write(1, 1);
    log.write(2, 1);
    String key = log.layout.slotKey(2);
    byte[] other = store.objects().get(log.layout.slotKey(1)).bytes();
    store.overwrite(key, other, store.objects().get(key).metadata());

    fails(LogReadErrorKind.DAMAGED, () -> rows(log.reader()), key, "was changed");
  }

  @Test
  void anObjectThatIsNotPackedAsTheLogIsNamesItself() {
    String key = log.layout.slotKey(1);
    store.overwrite(key, "plain".getBytes(StandardCharsets.UTF_8), Map.of());

    fails(LogReadErrorKind.DAMAGED, () -> rows(log.reader()), key, "is damaged");
  }

  @Test
  void anObjectThatUnpacksToMoreThanThereIsMemoryIsDamaged() {
    log.write(1, 1);
    String key = log.layout.slotKey(1);
    store.overwrite(key, Bombs.zstd(), store.objects().get(key).metadata());

    fails(
        LogReadErrorKind.DAMAGED,
        () -> rows(log.reader()),
        key,
        "is damaged",
        "it holds more than");
  }

  @Test
  void anIdentityObjectThatIsFarTooLargeIsNone() {
    store.overwrite(log.layout.identityKey(), new byte[1 << 20], Map.of());

    fails(LogReadErrorKind.FOREIGN, () -> rows(log.reader()), log.layout.identityKey());
  }

  @Test
  void aStoreWithoutAnAnswerEndsItAndALaterCallGoesOnWithTheSameSlot() {
    IntStream.rangeClosed(1, 3).forEach(slot -> log.write(slot, 1));
    try (LogReader reader = log.reader().open()) {
      reader.next();
      log.silence(log.layout.slotKey(2));

      fails(LogReadErrorKind.UNREACHABLE, reader::hasNext, log.layout.slotKey(2));
      log.answer();

      assertThat(reader.next().slot()).isEqualTo(2);
      assertThat(reader.next().slot()).isEqualTo(3);
      assertThat(reader.hasNext()).isFalse();
    }
  }

  @Test
  void missingRightsAreToldFromAStoreWithoutAnAnswer() {
    log.refuse();

    fails(LogReadErrorKind.RIGHTS, () -> rows(log.reader()), "was refused");
  }

  @Test
  void asksForNoMoreSlotsAheadThanItMay() {
    IntStream.rangeClosed(1, 30).forEach(slot -> log.write(slot, 1));
    try (LogReader reader = log.reader().log(WrittenLog.LOG).upTo(30).ahead(3, 1 << 20).open()) {
      for (int slot = 1; slot <= 10; slot++) {
        reader.next();
      }

      assertThat(reader.hasNext()).isTrue(); // Slot 11 is held, three stand behind it.
      assertThat(log.requests()).isLessThanOrEqualTo(14);
    }
  }

  @Test
  void isEndedByAnInterruptAndKeepsIt() {
    log.write(1, 1);
    try (LogReader reader = log.reader().open()) {
      Thread.currentThread().interrupt();

      fails(LogReadErrorKind.INTERRUPTED, reader::hasNext, "interrupted");

      assertThat(Thread.interrupted()).isTrue();
      assertThat(reader.next().slot()).isEqualTo(1);
    }
  }

  @Test
  void hasNothingMoreOnceItIsClosed() {
    log.write(1, 1);
    LogReader reader = log.reader().open();
    assertThat(reader.hasNext()).isTrue();

    reader.close();

    assertThat(reader.hasNext()).isFalse();
  }

  static void fails(LogReadErrorKind kind, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LogReadException.class, e -> assertThat(e.kind()).as("%s", e).isEqualTo(kind))
        .hasMessageContainingAll(words);
  }

  private static List<LogRow> rows(LogReaderBuilder builder) {
    List<LogRow> rows = new ArrayList<>();
    try (LogReader reader = builder.open()) {
      while (reader.hasNext()) {
        reader.next().forEach(rows::add);
      }
    }
    return rows;
  }

  private static List<String> texts(List<LogRow> rows) {
    return rows.stream().map(LogRow::text).toList();
  }
}
