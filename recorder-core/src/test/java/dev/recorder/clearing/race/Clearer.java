package dev.recorder.clearing.race;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.TableState;
import dev.recorder.clearing.postgres.JdbcHandoffLeaves;
import dev.recorder.clearing.race.Journal.Met;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.TappedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Rotates, proves and empties as fast as it can, in the term of the moment or in one that is over,
 * on sessions that end in between.
 */
final class Clearer implements Callable<Void> {
  private static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);

  private final Race race;
  private final SplittableRandom random;
  private final Attempt attempt;
  private Term term;
  private LogClearing clearing;
  private @Nullable Connection session;
  private @Nullable Connection tapped;

  Clearer(Race race, SplittableRandom random) {
    this.race = race;
    this.random = random;
    this.attempt = new Attempt(race.journal);
    this.term = race.terms.current();
    this.clearing = clearing();
  }

  private LogClearing clearing() {
    return new LogClearing(race.site.store, RebaseSite.LAYOUT, () -> true);
  }

  @Override
  public Void call() throws Exception {
    try {
      while (race.hasRounds()) {
        chooseTerm();
        if (isInForce()) {
          race.takeRound();
        }
        if (random.nextInt(race.breakage.turnsPerDamage()) == 0) {
          race.damage.missARow();
        }
        round();
      }
    } finally {
      endSession();
    }
    return null;
  }

  private boolean isInForce() {
    return term.epoch() == race.terms.current().epoch();
  }

  private void chooseTerm() throws SQLException, InterruptedException {
    if (!isInForce()) {
      int draw = random.nextInt(10);
      if (draw > 0) {
        Thread.sleep(random.nextInt(60));
      }
      if (draw < 3) {
        term = draw == 0 ? race.terms.next() : race.terms.current();
        clearing = clearing();
      }
    }
  }

  private void round() throws SQLException {
    try {
      HandoffLeaves leaves = new WatchedLeaves(leaves(), race, term, attempt);
      TableState table = leaves.look();
      if (table.mayRotate(table.currentBlock())) {
        leaves.rotate(table.currentBlock());
      }
      for (Report report : turn(leaves)) {
        note(report);
      }
      if (random.nextBoolean()) {
        race.latecomers.letGo(attempt.leaf());
      }
    } catch (DatabaseException ended) {
      attempt.breakOff();
      endSession();
    }
  }

  private List<Report> turn(HandoffLeaves leaves) {
    if (race.breakage.proves()) {
      return clearing.turn(leaves, AT_ONCE);
    }
    List<Report> reports = new ArrayList<>();
    for (Closed leaf : ClearingPlan.closed(leaves.look())) {
      String trouble = leaves.inUse(leaf);
      if (trouble.isEmpty()) {
        trouble = leaves.empty(leaf, Breakage.unproved(leaves, leaf));
      }
      reports.add(new Report(leaf.block(), 0, 0, trouble.isEmpty(), trouble));
    }
    return reports;
  }

  private void note(Report report) throws SQLException {
    if (report.why().startsWith("others use it")) {
      race.journal.met(Met.OTHERS_USED_IT);
    } else if (report.why().startsWith("rows came into it")) {
      race.journal.met(Met.CAME_AFTER_THE_PROOF);
    } else if (report.why().startsWith("a session wants to insert")) {
      race.journal.met(Met.GAVE_WAY);
    } else if (report.why().equals("the term is over")) {
      race.journal.met(Met.TERM_OVER);
    } else if (report.why().contains("in no settled slot")) {
      race.journal.met(Met.INDEX_MISSED_A_ROW);
      if (random.nextInt(3) == 0) {
        race.damage.repair(Block.leafOf(report.block()));
      }
    }
  }

  // ---- the session

  private JdbcHandoffLeaves leaves() throws SQLException {
    if (session == null) {
      session = race.site.sessions().openData();
      tapped = new TappedConnection(session, this::before, race.breakage::sql).tapped();
    }
    return new JdbcHandoffLeaves(
        Objects.requireNonNull(tapped), SchemaNames.DEFAULT, RebaseSite.ORDERS, term);
  }

  private void endSession() {
    Optional.ofNullable(session).ifPresent(SqlConnections::abort);
    session = null;
  }

  /** What befalls a clearer before a statement. */
  private void before(String sql) throws SQLException {
    attempt.note(sql);
    if (attempt.isLong()) {
      return;
    }
    int draw = random.nextInt(10_000);
    if (draw < (attempt.isUnderWay() ? 100 : 6)) {
      race.journal.met(attempt.isUnderWay() ? Met.ENDED_UNDER_THE_LOCK : Met.ENDED);
      end(sql.equals("COMMIT"));
    } else if (attempt.isUnderWay() && draw < 150) {
      race.terms.next();
      race.journal.met(Met.REPLACED_UNDER_THE_LOCK);
    } else if (draw < 200) {
      pause(random.nextInt(10));
    } else if (draw < (attempt.isChecked() ? 5_000 : 400)
        && (attempt.isUnderWay() || attempt.isProving())) {
      if (race.latecomers.letGo(attempt.leaf())) {
        pause(random.nextInt(4));
      }
    }
  }

  /** Frozen and evicted, killed, cut off: for the database it is a session that ends. */
  private void end(boolean committing) throws SQLException {
    Connection open = Optional.ofNullable(session).orElseThrow();
    if (committing) {
      race.endSoon(open, random.nextInt(1_500));
    } else if (random.nextBoolean()) {
      race.site.database.execute(
          "SELECT pg_terminate_backend(" + open.unwrap(PGConnection.class).getBackendPID() + ")");
    } else {
      SqlConnections.abort(open);
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
