package dev.recorder.lock.postgres;

import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A database with tables of locks, and the services that a test opens. */
final class RowSite implements AutoCloseable {
  final TestDatabase database;
  private final List<AutoCloseable> services = new ArrayList<>();

  private RowSite(TestDatabase database) {
    this.database = database;
  }

  static RowSite create() throws SQLException {
    RowSite site = new RowSite(TestDatabase.createOwned());
    LockSites.create(site.database);
    return site;
  }

  Sessions sessions(String worker) {
    return sessions(worker, database.server().port());
  }

  Sessions sessions(String worker, int port) {
    return LockSites.sessions(database, worker, port);
  }

  /** Closes {@code service} after the test. */
  synchronized <T extends AutoCloseable> T opened(T service) {
    services.add(service);
    return service;
  }

  void closeServices() throws Exception {
    for (AutoCloseable service : services) {
      service.close();
    }
    services.clear();
  }

  void execute(String sql) throws SQLException {
    LockSites.execute(database, sql);
  }

  /** The first column of the first row, as text. */
  @Nullable String text(String sql) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : null;
    }
  }

  /** Runs all at the same moment, each on a thread of its own. */
  static <T> List<T> atOnce(List<? extends Callable<T>> all) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    try {
      CyclicBarrier start = new CyclicBarrier(all.size());
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> each : all) {
        futures.add(
            threads.submit(
                () -> {
                  start.await(1, TimeUnit.MINUTES);
                  return each.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(5, TimeUnit.MINUTES));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  @Override
  public void close() throws Exception {
    closeServices();
    database.close();
  }
}
