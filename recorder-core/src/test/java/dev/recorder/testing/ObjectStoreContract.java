package dev.recorder.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.WindowPart;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.AlreadyThere;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.time.NamedThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What the slot log asks of every store, the fake and the real ones. */
public abstract class ObjectStoreContract {
  private static final int RACERS = 16;
  static final int RACES = 25;
  private static final Map<String, String> NO_METADATA = Map.of();

  private final String folder = "prefix/name-" + UUID.randomUUID() + "/";

  /** The store under test, with a bucket that may hold anything. */
  protected abstract ObjectStore store();

  /** The same server, and a bucket that does not exist. */
  protected abstract ObjectStore storeWithoutBucket();

  /** Of the bodies that are tried; nothing that is recorded is empty. */
  protected int smallestBody() {
    return 0;
  }

  @Test
  void theFirstPutCreatesAndTheSecondFindsItThere() {
    assertThat(store().putIfAbsent(key(1), bytes("first"), NO_METADATA))
        .isInstanceOf(Created.class);
    assertThat(store().putIfAbsent(key(1), bytes("second"), NO_METADATA))
        .isInstanceOf(AlreadyThere.class);

    assertThat(read(key(1))).isEqualTo(bytes("first"));
  }

  @Test
  void ofRacingPutsExactlyOneWinsAndItsBytesAreThere() throws Exception {
    for (int race = 0; race < RACES; race++) {
      String key = key(race);
      int winner =
          winner(
              AlreadyThere.class,
              racer -> store().putIfAbsent(key, bytes("racer " + racer), NO_METADATA));

      assertThat(read(key)).isEqualTo(bytes("racer " + winner));
    }
  }

  @Test
  void whatIsNotThereIsAbsent() {
    assertThat(store().head(key(1))).isInstanceOf(ObjectStore.Absent.class);
    assertThat(store().get(key(1))).isInstanceOf(ObjectStore.Absent.class);
  }

  @Test
  void metadataComeBackAsWritten() {
    ObjectMetadata metadata =
        new ObjectMetadata(
            "orders",
            UUID.randomUUID(),
            7,
            3,
            "alpha",
            1_000,
            "0123456789abcdef".repeat(4),
            Origins.CHAIN,
            Origins.DATABASE,
            new WindowPart("745.0123456789abcdef", "801.fedcba9876543210", true),
            Origins.READ_AT);
    store().putIfAbsent(key(7), bytes("body"), metadata.asMap());

    ObjectStore.HeadAnswer head = store().head(key(7));

    assertThat(head).isInstanceOf(ObjectStore.Present.class);
    assertThat(ObjectMetadata.from(((ObjectStore.Present) head).metadata())).contains(metadata);
    assertThat(((Body) store().get(key(7))).metadata()).isEqualTo(metadata.asMap());
  }

  @Test
  void everyByteComesBackOfSmallAndLargeBodies() {
    for (int size : new int[] {smallestBody(), 1 + smallestBody(), 1 << 16, 8 << 20}) {
      byte[] body = new byte[size];
      new Random(size).nextBytes(body);

      assertThat(store().putIfAbsent(key(size), body, NO_METADATA)).isInstanceOf(Created.class);

      assertThat(read(key(size))).isEqualTo(body);
    }
  }

  @Test
  void anObjectLargerThanWhatIsAskedForIsToldAndNotRead() {
    store().putIfAbsent(key(1), bytes("0123456789"), NO_METADATA);

    assertThat(store().get(key(1), 10)).isInstanceOf(Body.class);
    assertThat(store().get(key(1), 9))
        .isInstanceOfSatisfying(
            ObjectStore.NotRead.class, object -> assertThat(object.bytes()).isEqualTo(10));
    assertThat(store().get(key(2), 9)).isInstanceOf(ObjectStore.Absent.class);
  }

  @Test
  void aMissingBucketIsForAnOperatorToRemedy() {
    ObjectStore store = storeWithoutBucket();

    assertThat(store.putIfAbsent(key(1), bytes("body"), NO_METADATA)).satisfies(this::isFinal);
    assertThat(store.head(key(1))).satisfies(this::isFinal);
    assertThat(store.get(key(1))).satisfies(this::isFinal);
  }

  private void isFinal(Object answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            ObjectStore.Unclear.class,
            unclear -> {
              assertThat(unclear.remediable()).isFalse();
              assertThat(unclear.reason()).contains("bucket");
            });
  }

  /** Has all do the same at the same time: one succeeds, and each other is told so. */
  static int winner(Class<? extends PutAnswer> told, IntFunction<PutAnswer> racer)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(RACERS, new NamedThreadFactory("racer"));
    try {
      CyclicBarrier start = new CyclicBarrier(RACERS);
      List<Callable<PutAnswer>> racers = new ArrayList<>();
      for (int i = 0; i < RACERS; i++) {
        int number = i;
        racers.add(
            () -> {
              start.await();
              return racer.apply(number);
            });
      }
      List<PutAnswer> answers = new ArrayList<>();
      for (Future<PutAnswer> each : threads.invokeAll(racers)) {
        answers.add(each.get());
      }
      assertThat(answers).filteredOn(Created.class::isInstance).hasSize(1);
      assertThat(answers)
          .filteredOn(answer -> !(answer instanceof Created) && !told.isInstance(answer))
          .allSatisfy(ObjectStoreContract::asksAgain);
      return answers.indexOf(new Created());
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * S3 may answer a racing write with 409, to be asked again: that tells the racer nothing. Which
   * answer it was is printed, since it is rare.
   */
  private static void asksAgain(PutAnswer answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            ObjectStore.Unclear.class,
            unclear -> {
              System.out.println("a racer was told: " + unclear.reason());
              assertThat(unclear.remediable()).as(unclear.reason()).isTrue();
            });
  }

  private byte[] read(String key) {
    ObjectStore.GetAnswer answer = store().get(key);
    assertThat(answer).isInstanceOf(Body.class);
    return ((Body) answer).bytes();
  }

  private String key(long number) {
    return folder + number;
  }

  static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
