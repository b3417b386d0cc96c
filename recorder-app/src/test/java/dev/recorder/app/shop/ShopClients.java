package dev.recorder.app.shop;

import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients of the {@link Shop} at work: by JDBC and COPY, and one by psql where it is installed. */
public final class ShopClients implements AutoCloseable {
  private static final int BY_JDBC = 3;
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CompletionService<Void> ended = new ExecutorCompletionService<>(threads);
  private final int clients;
  private volatile boolean stopping;

  private ShopClients(TestDatabase database, long seed, Duration pause) {
    for (int client = 0; client < BY_JDBC; client++) {
      ShopChanges changes = new ShopChanges(seed + client);
      ended.submit(new ShopWork(database, changes, pause, () -> stopping));
    }
    boolean console = ShopConsole.isInstalled();
    if (console) {
      ShopChanges changes = new ShopChanges(seed + BY_JDBC);
      ended.submit(new ShopConsole(database, changes, pause, () -> stopping));
    }
    this.clients = console ? BY_JDBC + 1 : BY_JDBC;
  }

  /**
   * The same seed gives the same statements, in another order among clients.
   *
   * @param pause of each client between two transactions
   */
  public static ShopClients start(TestDatabase database, long seed, Duration pause) {
    return new ShopClients(database, seed, pause);
  }

  /** Lets them work for so long; throws at once what one of them has failed with. */
  public void workFor(Duration time) throws InterruptedException {
    Future<Void> failed = ended.poll(time.toMillis(), TimeUnit.MILLISECONDS);
    if (failed != null) {
      get(failed);
      throw new IllegalStateException("a client has ended without having been told to");
    }
  }

  /** Lets each end its transaction; throws what one of them has failed with. */
  public void stop() throws InterruptedException {
    stopping = true;
    List<Future<Void>> all = new ArrayList<>();
    while (all.size() < clients) {
      Future<Void> one = ended.poll(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      if (one == null) {
        throw new IllegalStateException("a client does not end");
      }
      all.add(one);
    }
    for (Future<Void> one : all) {
      get(one);
    }
  }

  private static void get(Future<Void> client) throws InterruptedException {
    try {
      client.get();
    } catch (ExecutionException e) {
      throw new AssertionError("a client of the shop failed", e.getCause());
    }
  }

  @Override
  public void close() {
    stopping = true;
    threads.shutdownNow();
  }
}
