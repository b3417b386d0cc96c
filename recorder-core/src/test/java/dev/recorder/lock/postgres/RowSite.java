package dev.recorder.lock.postgres;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockListener;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A database with tables of locks, and the services that a test opens. As an extension of a test
 * class it empties the tables before each test, and closes services after it.
 */
public final class RowSite implements BeforeEachCallback, AfterEachCallback, AutoCloseable {
  /** For one class at a time of those that have it emptied. */
  public static final String SHARED = "the shared site of rows";

  /**
   * For who is to be cut off, while it is: its session is always trusted, so that what it is asked
   * is sent, and not a question whether the session lives.
   */
  public static final Instruments TRUSTING = new Instruments(() -> 0, LockListener.NONE);

  public final TestDatabase database;
  private final List<AutoCloseable> services = new ArrayList<>();

  private RowSite(TestDatabase database) {
    this.database = database;
  }

  /** One for all classes, made when first used. */
  private static final class Shared {
    static final RowSite SITE;

    static {
      try {
        SITE = create();
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  public static RowSite shared() {
    return Shared.SITE;
  }

  static RowSite create() throws SQLException {
    RowSite site = new RowSite(TestDatabase.createOwned());
    LockSites.create(site.database);
    return site;
  }

  public Sessions sessions(String worker) {
    return sessions(worker, database.server().port());
  }

  Sessions sessions(String worker, int port) {
    return LockSites.sessions(database, worker, port);
  }

  /** By way of what may be cut. */
  public Sessions cut(TcpProxy proxy) {
    return sessions("cut", proxy.port());
  }

  /** Closes {@code service} after the test. */
  public synchronized <T extends AutoCloseable> T opened(T service) {
    services.add(service);
    return service;
  }

  void closeServices() throws Exception {
    for (AutoCloseable service : services) {
      service.close();
    }
    services.clear();
  }

  public void execute(String sql) throws SQLException {
    LockSites.execute(database, sql);
  }

  /** The first column of the first row, as text. */
  public @Nullable String text(String sql) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  /** A way to the server that may be cut; to be closed by the test. */
  public TcpProxy proxy() {
    return TcpProxy.to(database.server().port());
  }

  @Override
  public void beforeEach(ExtensionContext context) throws SQLException {
    execute("TRUNCATE recorder.lock_mutex, recorder.lock_timeout, recorder.lock_task");
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    closeServices();
  }

  @Override
  public void close() throws Exception {
    closeServices();
    database.close();
  }
}
