package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.CaptureNews.NewsKind;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import dev.recorder.time.Ticker;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * A capture site, and a machine of a role of its own that looks when it is told to: active for the
 * log, and one of those that work on the requests.
 */
public final class KeptSite implements AutoCloseable {
  public static final CaptureKeeping.WatchedRecorders WATCHED =
      new CaptureKeeping.WatchedRecorders(Set.of(CaptureSite.ORDERS), Set.of(CaptureSite.ACCOUNTS));

  public final CaptureSite site = new CaptureSite();
  private final DataSession session;
  public final CaptureKeeping keeping;

  public KeptSite() throws SQLException {
    session = new DataSession(new Sessions(TestSettings.patient(site.database), "host-a"), 6);
    keeping = new CaptureKeeping(session, Ticker.system());
  }

  /** The machine may create triggers on tables of the application that are made from now on. */
  public void mayTrigger() throws SQLException {
    site.run(
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT TRIGGER ON TABLES TO "
            + TestDatabase.ROLE);
  }

  /** A look of a machine whose file has these tables. */
  public List<CaptureNews> look(CaptureRule... wanted) throws InterruptedException {
    return keeping.look(WATCHED, List.of(wanted), recorder -> true);
  }

  /** The same, without what is no fault. */
  public List<CaptureNews> faults(CaptureRule... wanted) throws InterruptedException {
    return look(wanted).stream().filter(news -> news.kind() != NewsKind.REMARK).toList();
  }

  /** Into the log, as usual. */
  public static Captures.WantedCapture wanted(String table) {
    return new Captures.WantedCapture(CaptureSite.ORDERS, table, CaptureOptions.USUAL);
  }

  public static CaptureRule rule(String table) {
    return rule(table, CaptureOptions.USUAL);
  }

  public static CaptureRule rule(String table, CaptureOptions options) {
    return new CaptureRule(CaptureSite.ORDERS, new TableName("public", table), options);
  }

  @Override
  public void close() throws SQLException {
    session.close();
    site.close();
  }
}
