package dev.recorder.app.soak;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.proof.Books;
import dev.recorder.app.harness.proof.Oracle;
import dev.recorder.app.harness.proof.Producer;
import dev.recorder.app.harness.proof.Producer.Habits;
import dev.recorder.app.harness.proof.Proof;
import dev.recorder.app.harness.proof.SettleJournal;
import dev.recorder.testing.servers.BucketServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Faults over recorders of logs: every committed row is recorded once. */
final class SoakRun extends FaultyRun {
  /** Those for which applications write rows; each host is the primary of one. */
  private static final List<String> WRITTEN = List.of(ClearedLog.NAME, "events", "audit");

  private static final List<String> RECORDERS =
      List.of(ClearedLog.NAME, "events", "audit", SoakShop.NAME);

  private static final int APPLICATIONS = 8;

  /** The longest takes seconds, and is rare. */
  private static final Habits HABITS =
      new Habits(1, Duration.ofSeconds(3), Set.of(ClearedLog.NAME));

  private static final Particulars PARTICULARS =
      Particulars.NONE.withTiming("s3_attempt_timeout = 3s\nfailback_after = 4s\nstuck_after = 4s");
  private static final Duration RECORDED_WITHIN = Duration.ofMinutes(3);

  /** Long enough for a block to fill up, and for its rows to be recorded. */
  private static final Duration SPOILT_FOR = Duration.ofSeconds(25);

  private static final Duration POLL = Duration.ofMillis(100);
  private static final String STATE =
      "SELECT recorder, holder, last_slot, 1, 0 FROM recorder.lock_recorders WHERE kind = 'log'";

  /** Machines whose sessions live, and for how many logs they are able. */
  private static final String READY =
      "SELECT count(*) FROM recorder.info_recorders JOIN pg_stat_activity"
          + " USING (pid, backend_start) WHERE cardinality(able) = "
          + RECORDERS.size();

  private final Spoiling spoiling;
  private final Books books = new Books(WRITTEN);
  private SettleJournal settles;
  private ClearedLog cleared;
  private Preferences preferences;
  private SoakShop shop;
  private Oracle oracle;

  SoakRun(Options options, Journal journal) {
    this(options, journal, Spoiling.NONE);
  }

  SoakRun(Options options, Journal journal, Spoiling spoiling) {
    super(
        options,
        journal,
        new Setting(
            RECORDERS,
            ClearedLog.recording(RECORDERS, "500ms", SoakShop.section()),
            BucketServer::startChosen,
            S3Traffic.SLOT,
            EnumSet.allOf(FaultKind.class),
            STATE,
            Duration.ofMillis(70)));
    this.spoiling = spoiling;
  }

  @Override
  protected Host host(Cluster cluster, String name, int number) {
    return cluster.host(
        name,
        number == 0 ? Set.of(RECORDERS.get(0), SoakShop.NAME) : Set.of(RECORDERS.get(number)),
        PARTICULARS);
  }

  @Override
  protected void awaitReady(Stage stage) throws InterruptedException {
    long start = System.nanoTime();
    while (!isReady(stage)) {
      if (System.nanoTime() - start > START_WITHIN.toNanos()) {
        throw new IllegalStateException(
            "the hosts were not ready within " + START_WITHIN.toSeconds() + " s");
      }
      stage.faults().restartTheEnded();
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Whether each recorder has a holder, and all hosts are able to take them all. */
  private static boolean isReady(Stage stage) {
    try {
      return IntStream.range(0, RECORDERS.size())
              .allMatch(recorder -> stage.watch().holder(recorder).isPresent())
          && stage.cluster().database().number(READY) >= stage.hosts().size();
    } catch (SQLException notYet) {
      return false;
    }
  }

  @Override
  protected void open(Stage stage) throws SQLException {
    settles = SettleJournal.in(stage.cluster().database());
    cleared = ClearedLog.of(stage, journal, options.length());
    preferences = new Preferences(stage.cluster(), stage.hosts(), RECORDERS);
    shop = SoakShop.open(stage, journal, options.seed());
  }

  @Override
  protected Optional<Struck> flip(Stage stage, Drawn drawn) {
    return preferences.flip(drawn);
  }

  @Override
  protected void goOn(Stage stage) throws SQLException, InterruptedException {
    if (spoiling == Spoiling.UNPROVED_CLEARING) {
      try (UnprovedClearing spoiler =
          UnprovedClearing.start(stage.cluster().database(), ClearedLog.NAME)) {
        Thread.sleep(SPOILT_FOR.toMillis());
      }
    } else {
      cleared.awaitEnough(preferences);
    }
  }

  @Override
  protected List<Producer> works() {
    return Producer.several(APPLICATIONS, books, HABITS, options.seed());
  }

  @Override
  protected String progress(Stage stage) {
    return books.rows() + " rows committed, " + stage.watch().progress() + " slots settled";
  }

  @Override
  protected boolean awaitDone(Stage stage) throws SQLException, InterruptedException {
    boolean sold = shop.awaitDone();
    boolean back = areAllBack(stage);
    oracle = Oracle.of(stage.cluster(), books, fault -> journal.blame("%s", fault));
    boolean complete =
        oracle.awaitRecorded(spoiling == Spoiling.NONE ? RECORDED_WITHIN : SPOILT_FOR);
    journal.say("the backlog is %s", complete ? "empty" : "not empty");
    boolean tabled = true;
    for (String recorder : List.of("audit", SoakShop.NAME)) {
      tabled &= isTableWhole(stage, recorder);
    }
    return sold && back && complete && tabled;
  }

  private boolean areAllBack(Stage stage) throws InterruptedException {
    try {
      awaitReady(stage);
      return true;
    } catch (IllegalStateException notAll) {
      journal.blame("after everything was healed %s", notAll.getMessage());
      return false;
    }
  }

  @Override
  protected Map<String, Object> prove(Stage stage) throws SQLException, InterruptedException {
    Proof proof = oracle.proof();
    Zombies zombies = Zombies.of(stage.cluster().database(), RECORDERS, journal);
    long zombieWrites =
        zombies.puts(stage.traffic().slotPuts(), stage.faults()) + zombies.settles(settles);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("rows", proof.rows());
    figures.put("objects", proof.objects());
    figures.put("lost", proof.lost());
    figures.put("duplicated", proof.duplicated());
    figures.put("out_of_order", proof.outOfOrder());
    figures.put("takeovers", zombies.takeovers());
    figures.put("longest_outage_ms", settles.longestGapMillis());
    figures.put("zombie_writes", zombieWrites);
    cleared.prove(books, WRITTEN, figures);
    shop.prove(figures);
    figures.put("verify_ok", verify(stage, proof.rows()));
    return figures;
  }

  /** Waits until a log's table has all slots; {@code verify} then compares it with them. */
  private boolean isTableWhole(Stage stage, String recorder)
      throws SQLException, InterruptedException {
    long last =
        stage
            .cluster()
            .database()
            .number(
                "SELECT last_slot FROM recorder.lock_recorders WHERE recorder = '%s'"
                    .formatted(recorder));
    String whole = "the table has slots up to %d in commit ".formatted(last);
    long start = System.nanoTime();
    while (System.nanoTime() - start < RECORDED_WITHIN.toNanos()) {
      Product.Outcome verify = stage.cluster().spawnJudge("verify", recorder);
      if (verify.exitCode() != 0) {
        journal.blame("verify %s: %s", recorder, verify.output());
        return false;
      } else if (verify.output().contains(whole)) {
        journal.say("%s", verify.output().strip());
        return true;
      }
      Thread.sleep(1_000);
    }
    journal.blame("%s: its table does not get slot %d", recorder, last);
    return false;
  }

  private boolean verify(Stage stage, long committed) throws InterruptedException {
    long rows = 0;
    boolean ok = true;
    for (String recorder : WRITTEN) {
      JsonNode verdict = ask(stage, "verify", recorder);
      rows += verdict.path("rows").asLong();
      ok &= verdict.path("ok").asBoolean();
    }
    if (!ok || rows != committed) {
      journal.blame("verify: ok %s, %d rows of %d committed", ok, rows, committed);
    }
    return ok && rows == committed;
  }
}
