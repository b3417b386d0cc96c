package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.capture.postgres.catalog.CaptureCheck;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.capture.script.TableScript;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.time.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Keeps captures as the configuration file wants them, as far as the role's rights allow: sets up
 * tables that the file lists, arms new partitions, and reports every other finding. The looks run
 * one after another on the session's thread. A look begins no new step after {@value #SECONDS} s,
 * and the next look continues with the rest, partitions in use last. If the set-up of a table
 * fails, for lack of rights for example, the table is tried again after {@value
 * #LOOKS_BETWEEN_TRIES} looks, since each try leaves an error in the server's log.
 *
 * <p>The captures of a log are looked at by the log's active host. The captures of a recorder of
 * requests are looked at by all of its hosts, one at a time. A host that finds another host looking
 * reports its own last findings.
 */
public final class CaptureKeeping {
  private static final int SECONDS = 20;
  private static final int LOOKS_BETWEEN_TRIES = 20;

  /** Text of news about a table in use, which is tried again at the next look. */
  static final String IN_USE =
      "it is in use, and tried again every half a minute: what is written meanwhile is not"
          + " captured";

  private final CaptureNames names;
  private final DataSession session;
  private final Ticker ticker;

  /** Why tables are not set up, by rule. */
  private final Map<CaptureRule, SetUpFailure> failures = new HashMap<>();

  /** Oids of partitions that were in use at the last look. */
  private final Set<Long> inUse = new HashSet<>();

  /** Findings of the last look that are normal while a capture is being set up. */
  private final Set<CaptureFinding> settingUp = new HashSet<>();

  /** The last lasting news of recorders of requests, at which other hosts look, too. */
  private final Map<RecorderName, List<CaptureNews>> lasting = new HashMap<>();

  private final ExpressionLook expressions;

  private final AtomicBoolean atOnce = new AtomicBoolean();

  /** Does not look yet. */
  public CaptureKeeping(DataSession session, Ticker ticker) {
    this.names = new CaptureNames(session.schemas());
    this.expressions = new ExpressionLook(names);
    this.session = session;
    this.ticker = ticker;
  }

  /** Makes the next look try every failed set-up again. May be called from any thread. */
  public void tryAll() {
    atOnce.set(true);
  }

  /** Why a table is not set up, and for how many more looks it is not tried again. */
  private record SetUpFailure(String text, String detail, int looks) {}

  /**
   * The recorders whose captures a host looks at.
   *
   * @param logs the logs for which the host is active
   * @param requests recorders of requests, at which other hosts may look at the same time
   */
  public record WatchedRecorders(Set<RecorderName> logs, Set<RecorderName> requests) {
    public WatchedRecorders {
      logs = Set.copyOf(logs);
      requests = Set.copyOf(requests);
    }
  }

  /**
   * Looks once: sets up, arms and checks. Returns the news, including unchanged lasting findings.
   *
   * @param wanted the captures that the file lists for these recorders
   * @param works whether this host still is responsible for a recorder, as of the call
   * @throws DatabaseException if the look could not be finished; the next look may succeed
   */
  public List<CaptureNews> look(
      WatchedRecorders watched, List<CaptureRule> wanted, Predicate<RecorderName> works)
      throws InterruptedException {
    lasting.keySet().retainAll(watched.requests());
    try (LookTurns turns = LookTurns.take(session.connection(), watched.requests())) {
      Set<RecorderName> mine = new HashSet<>(watched.logs());
      mine.addAll(turns.taken());
      List<CaptureRule> theirs =
          wanted.stream().filter(rule -> mine.contains(rule.recorder())).toList();
      List<CaptureNews> news = new ArrayList<>();
      if (!mine.isEmpty()) {
        news.addAll(
            new CaptureInspection(session.connection(), works, ticker.nanos()).at(mine, theirs));
      }
      for (RecorderName recorder : watched.requests()) {
        if (turns.taken().contains(recorder)) {
          lasting.put(recorder, lastingOf(recorder, news));
        } else {
          news.addAll(lasting.getOrDefault(recorder, List.of()));
        }
      }
      return news;
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private static List<CaptureNews> lastingOf(RecorderName recorder, List<CaptureNews> news) {
    return news.stream()
        .filter(each -> each.recorder().equals(recorder.value()) && !each.kind().isEvent())
        .toList();
  }

  private final class CaptureInspection {
    private final Connection connection;
    private final Predicate<RecorderName> works;
    private final long since;
    private final List<CaptureNews> news = new ArrayList<>();

    CaptureInspection(Connection connection, Predicate<RecorderName> works, long since) {
      this.connection = connection;
      this.works = works;
      this.since = since;
    }

    List<CaptureNews> at(Set<RecorderName> recorders, List<CaptureRule> wanted)
        throws SQLException, InterruptedException {
      if (!wanted.isEmpty()) {
        setUp(wanted);
      }
      List<CaptureFinding> findings =
          new ArrayList<>(new CaptureCheck(connection, names).of(recorders));
      findings.addAll(expressions.at(connection, recorders));
      arm(findings);
      return news;
    }

    private boolean goesOn(RecorderName recorder) {
      boolean inTime = ticker.nanos() - since < Duration.ofSeconds(SECONDS).toNanos();
      return inTime && works.test(recorder);
    }

    // ---- tables of the file

    private void setUp(List<CaptureRule> wanted) throws SQLException, InterruptedException {
      Captures captures = new Captures(connection, names, role(), Optional::empty);
      CapturePlan plan = CapturePlan.of(wanted, captures.list());
      for (CaptureRule rule : plan.different()) {
        tell(
            NewsKind.OTHERWISE,
            rule,
            "an administrator sets it up again by the output of 'recorder schema --online'");
      }
      failures.keySet().retainAll(plan.missing());
      if (atOnce.getAndSet(false)) {
        failures.clear();
      }
      for (CaptureRule rule : plan.missing()) {
        SetUpFailure failure = failures.get(rule);
        if (failure != null && failure.looks() > 0) {
          failures.put(
              rule, new SetUpFailure(failure.text(), failure.detail(), failure.looks() - 1));
          tell(NewsKind.NOT_SET_UP, rule, failure);
        } else if (goesOn(rule.recorder())) {
          setUp(captures, rule);
        }
      }
    }

    private void setUp(Captures captures, CaptureRule rule)
        throws SQLException, InterruptedException {
      boolean again = failures.containsKey(rule);
      try {
        TableScript script = captures.read(rule, false);
        Arming arming = new Arming(connection, 1);
        arming.run(rule.table(), script.statements());
        arming.each(script, inTime(rule.recorder()));
        if (goesOn(rule.recorder())) {
          arming.rows(script);
        }
        failures.remove(rule);
        tell(NewsKind.SET_UP, rule, "");
      } catch (RefusedCaptureException e) {
        fail(rule, new SetUpFailure(message(e), "", 0), true);
      } catch (SQLException e) {
        fail(rule, DatabaseException.of(e), again);
      } catch (DatabaseException e) {
        fail(rule, e, again);
      }
    }

    private BooleanSupplier inTime(RecorderName recorder) {
      return () -> goesOn(recorder);
    }

    /** Records the failure of a set-up. A table in use is reported only from the second time on. */
    private void fail(CaptureRule rule, DatabaseException e, boolean again) throws SQLException {
      switch (e.kind()) {
        case BUSY -> {
          String inTheWay = Blockers.ofAnyLock(connection, List.of(rule.table().quoted()));
          fail(rule, new SetUpFailure(IN_USE, inTheWay, 0), again);
        }
        case RIGHTS, FAILED -> {
          String text =
              message(e).replace(Captures.PRINTED, "the output of 'recorder schema --online'");
          fail(rule, new SetUpFailure(text, "", LOOKS_BETWEEN_TRIES), true);
        }
        default -> throw e;
      }
    }

    private void fail(CaptureRule rule, SetUpFailure failure, boolean isTold) {
      failures.put(rule, failure);
      if (isTold) {
        tell(NewsKind.NOT_SET_UP, rule, failure);
      }
    }

    private String role() throws SQLException {
      try (SqlStatement statement = ROLE.on(connection)) {
        return statement.first(row -> row.getString(1)).orElseThrow();
      }
    }

    // ---- partitions

    private void arm(List<CaptureFinding> findings) throws SQLException {
      PartitionArming arming = new PartitionArming(connection, names);
      Set<Long> stillInUse = new HashSet<>();
      for (CaptureFinding finding : lastInUseLast(findings)) {
        if (goesOn(new RecorderName(finding.recorder()))) {
          for (CaptureNews each : arming.arm(finding)) {
            if (each.text().equals(IN_USE)) {
              stillInUse.add(unarmed(finding));
            }
            if (!each.text().equals(IN_USE) || inUse.contains(unarmed(finding))) {
              news.add(each);
            }
          }
        }
      }
      inUse.clear();
      inUse.addAll(stillInUse);
      StrayTriggers strays = new StrayTriggers(connection, names);
      for (CaptureFinding finding : findings) {
        boolean isMine = finding.stray() != null && goesOn(new RecorderName(finding.recorder()));
        if (isMine && strays.takeOff(finding)) {
          news.add(
              new CaptureNews(
                  NewsKind.DISARMED, finding.recorder(), finding.table(), finding.text()));
        } else if (finding.unarmed() == null && !isBeingSetUp(finding)) {
          NewsKind kind = finding.losesChanges() ? NewsKind.LOSING : NewsKind.REMARK;
          news.add(new CaptureNews(kind, finding.recorder(), finding.table(), finding.text()));
        }
      }
      settingUp.clear();
      findings.stream().filter(CaptureFinding::settingUp).forEach(settingUp::add);
    }

    /**
     * Returns whether the finding may be due to a set-up in progress. If the last look had the same
     * finding, the set-up was interrupted or is slow, and the finding is reported.
     */
    private boolean isBeingSetUp(CaptureFinding finding) {
      return finding.settingUp() && !settingUp.contains(finding);
    }

    private List<CaptureFinding> lastInUseLast(List<CaptureFinding> findings) {
      return findings.stream()
          .filter(finding -> finding.unarmed() != null)
          .sorted(Comparator.comparing(finding -> inUse.contains(unarmed(finding))))
          .toList();
    }

    private void tell(NewsKind kind, CaptureRule rule, SetUpFailure failure) {
      tell(kind, rule, failure.text(), failure.detail());
    }

    private void tell(NewsKind kind, CaptureRule rule, String text) {
      tell(kind, rule, text, "");
    }

    private void tell(NewsKind kind, CaptureRule rule, String text, String detail) {
      String recorder = rule.recorder().value();
      news.add(new CaptureNews(kind, recorder, rule.table().toString(), text, detail));
    }
  }

  private static final Sql ROLE = Sql.of("SELECT current_user");

  private static Long unarmed(CaptureFinding finding) {
    return Objects.requireNonNull(finding.unarmed());
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }
}
