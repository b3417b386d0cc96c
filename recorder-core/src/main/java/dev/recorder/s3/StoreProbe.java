package dev.recorder.s3;

import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.store.ObjectStore.AlreadyThere;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.store.ObjectStore.Changed;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.RefusalCause;
import dev.recorder.store.StoreGuarantee;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tests a store before a log or documents are entrusted to it. If {@value ConcurrentWriters#RACERS}
 * conditional PUTs race for one key, exactly one must win. A later read must return the winner's
 * object with its metadata. An absent key must be reported as absent.
 *
 * <p>The race is run {@value #RACES} times, as opening connections slows the first race. A test
 * without a race would find nothing: sequential conditional PUTs succeed even on stores that let
 * several racers win.
 *
 * <p>It leaves one object of a few bytes for each race: {@code <folder>_store_test/<uuid>-<race>}.
 * The recorder never deletes these objects. A lifecycle rule may delete them.
 */
public final class StoreProbe {
  static final int RACES = 5;

  /**
   * System property for another number of races, at least one. For processes that live for seconds.
   */
  static final String RACES_PROPERTY = "recorder.store-test.races";

  private static final int RUN = Math.max(1, Integer.getInteger(RACES_PROPERTY, RACES));
  private static final Duration START_LIMIT = Duration.ofSeconds(10);

  private final ObjectStore store;
  private final String prefix;
  private final ConcurrentWriters racers;

  private StoreGuarantee promise = StoreGuarantee.CREATION;

  public sealed interface Result {}

  /** The store may be used. */
  public record Passed() implements Result {}

  /** The store cannot be used as it is. After an operator's correction another test may pass. */
  public record Unusable(String why, String remedy, RefusalCause cause) implements Result {}

  /**
   * The store broke a promise. Whether a test detects this is a matter of chance, so a later passed
   * test does not count.
   */
  public record Broken(StoreGuarantee promise, String why, String remedy) implements Result {}

  /** The store's answers do not allow a decision: try again. */
  public record Undecided(String why) implements Result {}

  StoreProbe(ObjectStore store, String prefix, ConcurrentWriters racers) {
    this.store = store;
    this.prefix = prefix;
    this.racers = racers;
  }

  private static StoreProbe of(ObjectStore store, String folder, UUID run, Executor threads) {
    String prefix = folder + ObjectStore.TEST_FOLDER + run + "-";
    return new StoreProbe(store, prefix, new ConcurrentWriters(threads, START_LIMIT));
  }

  /**
   * Tests {@code store}. Blocks until the store has answered or its time limits have passed.
   *
   * @param folder the log's folder, with a trailing slash; see {@code LogLayout.folder}
   * @param run names this run; must be unique
   * @param threads runs {@value ConcurrentWriters#RACERS} tasks at the same time
   */
  public static Result run(ObjectStore store, String folder, UUID run, Executor threads) {
    return result(of(store, folder, run, threads)::run);
  }

  /**
   * Tests {@code store} for documents. In addition to {@link #run}, exactly one of {@value
   * ConcurrentWriters#RACERS} replacements of the same version must win. No replacement of a
   * version that is gone or never existed may win.
   *
   * @param folder the folder of the documents, with a trailing slash
   */
  public static Result runForDocuments(
      DocumentStore store, String folder, UUID run, Executor threads) {
    StoreProbe probe = of(store, folder, run, threads);
    Result result = result(probe::run);
    return result instanceof Passed ? result(() -> probe.runReplacements(store)) : result;
  }

  @FunctionalInterface
  private interface ProbePart {
    Result run() throws InterruptedException;
  }

  private static Result result(ProbePart part) {
    try {
      return part.run();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Undecided("interrupted");
    }
  }

  /** Runs the races for replacements on the objects that the races for absent keys have left. */
  private Result runReplacements(DocumentStore documents) throws InterruptedException {
    promise = StoreGuarantee.REPLACEMENT;
    Result problem = null;
    for (int race = 1; race <= RUN && problem == null; race++) {
      problem = replacementRace(documents, prefix + race);
    }
    return problem == null ? new Passed() : problem;
  }

  private @Nullable Result replacementRace(DocumentStore documents, String key)
      throws InterruptedException {
    ObjectStore.FetchAnswer before = documents.fetch(key);
    if (before instanceof ObjectStore.Unclear unclear) {
      return notAnswered(unclear);
    } else if (!(before instanceof Fetched version)) {
      return broken("the object at " + key + " is gone");
    } else {
      String etag = version.etag();
      IntFunction<PutAnswer> replacement =
          racer -> documents.putIfMatch(key, replacement(racer), metadata(racer), etag);
      Result problem = race(key, StoreProbe::replacement, replacement);
      return problem == null ? refusesWhatIsNotThere(documents, key, etag) : problem;
    }
  }

  private @Nullable Result refusesWhatIsNotThere(DocumentStore documents, String key, String etag) {
    for (String other : List.of(key, prefix + "absent")) {
      PutAnswer answer =
          documents.putIfMatch(
              other,
              replacement(ConcurrentWriters.RACERS),
              metadata(ConcurrentWriters.RACERS),
              etag);
      if (answer instanceof ObjectStore.Unclear unclear) {
        return notAnswered(unclear);
      } else if (!(answer instanceof Changed)) {
        return broken("it replaced a version of " + other + " that is not there");
      }
    }
    return null;
  }

  Result run() throws InterruptedException {
    Result problem = seesWhatIsAbsent();
    for (int race = 1; race <= RUN && problem == null; race++) {
      String key = prefix + race;
      problem =
          race(
              key, StoreProbe::body, racer -> store.putIfAbsent(key, body(racer), metadata(racer)));
    }
    return problem == null ? new Passed() : problem;
  }

  private @Nullable Result seesWhatIsAbsent() {
    String key = prefix + "absent";
    ObjectStore.HeadAnswer answer = store.head(key);
    if (answer instanceof ObjectStore.Unclear unclear) {
      return notAnswered(unclear);
    }
    return answer instanceof ObjectStore.Present
        ? broken("it says that " + key + " exists, although no host wrote it")
        : null;
  }

  private @Nullable Result race(
      String key, IntFunction<byte[]> bodies, IntFunction<PutAnswer> contest)
      throws InterruptedException {
    List<PutAnswer> answers = racers.run(contest);
    if (answers.size() < ConcurrentWriters.RACERS) {
      return new Undecided(
          "this host is too busy to race %s writers: not all were under way within %s s"
              .formatted(ConcurrentWriters.RACERS, racers.startLimit().toSeconds()));
    }
    int[] winners =
        IntStream.range(0, ConcurrentWriters.RACERS)
            .filter(racer -> answers.get(racer) instanceof Created)
            .toArray();
    if (winners.length == 1) {
      return holds(key, winners[0], bodies);
    } else if (winners.length > 1) {
      return broken("several of " + racersFor(key) + " were told they won");
    }
    // Without a winner: a racer without an answer may have won, and a refusal explains why no racer
    // won.
    return answers.stream()
        .filter(ObjectStore.Unclear.class::isInstance)
        .map(answer -> notAnswered((ObjectStore.Unclear) answer))
        .findFirst()
        .orElseGet(() -> withoutWinner(key, bodies));
  }

  /**
   * Judges a race that no racer was told to have won. If the network repeated the winner's request,
   * the winner was told that it lost.
   */
  private Result withoutWinner(String key, IntFunction<byte[]> bodies) {
    ObjectStore.GetAnswer read = store.get(key);
    if (read instanceof ObjectStore.Unclear unclear) {
      return notAnswered(unclear);
    }
    for (int racer = 0; racer < ConcurrentWriters.RACERS; racer++) {
      if (read instanceof Body body && Arrays.equals(body.bytes(), bodies.apply(racer))) {
        return new Undecided(
            anyRun(
                "of %s one won and was not told: something on the way may repeat requests"
                    .formatted(racersFor(key))));
      }
    }
    return broken("none of " + racersFor(key) + " was told it won");
  }

  /**
   * Describes the race with the tested promise, since a store may keep one promise and break the
   * other.
   */
  private String racersFor(String key) {
    String deed = promise == StoreGuarantee.CREATION ? "create " : "replace a version of ";
    return ConcurrentWriters.RACERS + " writers racing to " + deed + key;
  }

  /** Checks that the winner's object exists and stays. */
  private @Nullable Result holds(String key, int winner, IntFunction<byte[]> bodies) {
    ObjectStore.GetAnswer read = store.get(key);
    if (read instanceof ObjectStore.Unclear unclear) {
      return notAnswered(unclear);
    } else if (!(read instanceof Body body) || !Arrays.equals(body.bytes(), bodies.apply(winner))) {
      return broken("the object read at " + key + " is not the one that won it");
    } else if (!body.metadata().equals(metadata(winner))) {
      return broken("user metadata do not come back as written: " + body.metadata());
    }
    PutAnswer again =
        store.putIfAbsent(key, body(ConcurrentWriters.RACERS), metadata(ConcurrentWriters.RACERS));
    if (again instanceof ObjectStore.Unclear unclear) {
      return notAnswered(unclear);
    }
    return again instanceof AlreadyThere ? null : broken("it overwrote " + key);
  }

  private static byte[] body(int racer) {
    return ("written by racer " + racer + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] replacement(int racer) {
    return ("replaced by racer " + racer + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, String> metadata(int racer) {
    return Map.of("writer", "racer-" + racer);
  }

  private Result notAnswered(ObjectStore.Unclear unclear) {
    return unclear.remediable()
        ? new Undecided(anyRun(unclear.reason()))
        : new Unusable(anyRun(unclear.reason()), "correct it and start again", unclear.cause());
  }

  private Result broken(String why) {
    return new Broken(
        promise,
        "this store does not keep conditional writes apart: " + anyRun(why),
        "use a store on which PutObject with If-None-Match or If-Match is atomic and reads are"
            + " consistent");
  }

  /** Removes the run's id, so that the same problem has the same words and is logged once. */
  private String anyRun(String why) {
    String folder = prefix.substring(0, prefix.lastIndexOf('/') + 1);
    return why.replaceAll(Pattern.quote(prefix) + "\\w+", Matcher.quoteReplacement(folder + "*"));
  }
}
