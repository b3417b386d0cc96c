package dev.recorder.requests.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import dev.recorder.requests.TablePass;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many sessions at once on few entities, with failures, on a real server. */
class RequestConcurrencyIT {
  private static final int SESSIONS = 8;
  private static final int ENTITIES = 20;
  private static final int REQUESTS = 3_000;

  private static final String FALLING_FENCES =
      "SELECT count(*) FROM (SELECT fence <= lag(fence) OVER (PARTITION BY entity ORDER BY place)"
          + " AS falls FROM public.visits) v WHERE falls";

  private static final String UPDATES_BEFORE_THEIR_CREATE =
      "SELECT count(*) FROM handoff.orders c JOIN handoff.orders u USING (entity_id)"
          + " WHERE c.request_type = 'create' AND u.request_type = 'update'"
          + " AND u.fence <= c.fence";

  private static final String ALL_COMPLETE =
      "SELECT count(*) FILTER (WHERE request_status = 'new') = 0 AND count(*) = "
          + REQUESTS
          + " FROM handoff.orders";

  private final AtomicInteger killed = new AtomicInteger();
  private final AtomicInteger overlaps = new AtomicInteger();
  private RequestSite site;

  @BeforeEach
  void createTables() throws Exception {
    site = new RequestSite();
    site.run(
        "CREATE TABLE public.visits (place bigint GENERATED ALWAYS AS IDENTITY, entity text, fence xid8,"
            + " is_create boolean, gone boolean NOT NULL DEFAULT false)",
        "CREATE INDEX ON public.visits (entity)",
        "CREATE TABLE public.journal (id bigint, process uuid, fence xid8, at bigint)",
        "CREATE SEQUENCE public.clock",
        """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO public.journal VALUES (NEW.id, NEW.process_id, NEW.fence, nextval('public.clock'));
          RETURN NULL;
        END $$""",
        "CREATE TRIGGER note AFTER UPDATE ON handoff.orders FOR EACH ROW"
            + " WHEN (NEW.request_status <> 'new' OR OLD.request_status <> 'new')"
            + " EXECUTE FUNCTION note()");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  @Timeout(300)
  void eachRequestIsSettledOnceThoughSessionsAreKilledAgainAndAgain() throws Exception {
    work(seed -> new Worker(seed, "m" + seed, true));
    assertThat(killed).hasPositiveValue();
  }

  @Test
  @Timeout(300)
  void nobodyTakesWhatAnotherWorkerOfItsMachineHasBegun() throws Exception {
    work(seed -> new Worker(seed, "m", false));
    assertThat(site.ask("SELECT max(deaths) FROM handoff.orders")).isEqualTo("0");
  }

  private void work(IntFunction<Worker> workers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(SESSIONS + 2);
    List<Future<?>> ends = new ArrayList<>();
    try {
      ends.add(threads.submit(() -> produce(1)));
      ends.add(threads.submit(() -> produce(2)));
      for (int i = 0; i < SESSIONS; i++) {
        Worker worker = workers.apply(i);
        ends.add(threads.submit(() -> worker.run()));
      }
      for (Future<?> end : ends) {
        end.get(280, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(overlaps).hasValue(0);
    String all = Integer.toString(REQUESTS);
    assertThat(site.ask("SELECT count(*) FROM handoff.orders WHERE request_status = 'complete'"))
        .isEqualTo(all);
    assertThat(site.ask("SELECT count(*) FROM public.journal")).isEqualTo(all);
    assertThat(site.ask("SELECT count(DISTINCT id) FROM public.journal")).isEqualTo(all);
    assertThat(site.ask(FALLING_FENCES)).isEqualTo("0");
    assertThat(site.ask(UPDATES_BEFORE_THEIR_CREATE)).isEqualTo("0");
    assertThat(site.ask("SELECT count(*) FROM handoff.orders WHERE begun_by IS NOT NULL"))
        .isEqualTo("0");
    assertThat(site.locks()).isZero();
  }

  /** Half of the requests; transactions overlap, so that ids are committed out of order. */
  private Void produce(int seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Connection connection = site.database.connect()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < REQUESTS / 2; i++) {
        boolean create = i < ENTITIES / 2;
        String entity = "e" + (create ? i * 2 + seed - 1 : random.nextInt(ENTITIES));
        RequestSite.insert(
            connection, RequestSite.ORDERS, create ? "create" : "update", entity, "{}");
        if (create || random.nextInt(10) == 0) {
          connection.commit();
        }
      }
      connection.commit();
    }
    return null;
  }

  /** A worker as a back end has them. */
  private final class Worker {
    private final String machine;
    private final SplittableRandom random;
    private final boolean mayDie;
    private RequestSession session;

    Worker(int seed, String machine, boolean mayDie) {
      this.machine = machine;
      this.mayDie = mayDie;
      this.random = new SplittableRandom(seed);
      this.session = site.worker(machine);
    }

    Void run() throws SQLException {
      try (Connection outside = site.database.connect()) {
        while (!RequestSite.ask(outside, ALL_COMPLETE).equals("t")) {
          TablePass pass = new TablePass(System.nanoTime());
          while (pass.goesOn()) {
            Claim claim = session.claim(UUID.randomUUID(), pass.line(), pass.passedOver(), true);
            pass.claimed(claim, System.nanoTime());
            if (claim instanceof Claim.Begun begun) {
              unit(outside, begun, pass);
            }
          }
        }
      }
      return null;
    }

    private void unit(Connection outside, Claim.Begun begun, TablePass pass) throws SQLException {
      if (mayDie && random.nextInt(100) == 0) {
        kill(begun); // Between claim and work.
        return;
      }
      Optional<WorkUnit> locked = RequestSite.lock(session, begun);
      if (locked.isEmpty()) {
        session.takeBack(begun);
        pass.passOver(begun.id(), begun.entity());
        return;
      }
      WorkUnit unit = locked.get();
      enter(outside, unit);
      int fate = random.nextInt(100);
      if (mayDie && fate < 3) {
        kill(begun);
        return;
      }
      leave(outside, unit);
      if (fate < 8) {
        session.takeBack(begun);
      } else if (fate < 16) {
        session.postpone(begun, unit, "not now", Duration.ofMillis(random.nextInt(20)), 1_000);
        pass.passOver(begun.id(), begun.entity());
      } else if (fate < 22) {
        List<Long> one = List.of(unit.ids().get(random.nextInt(unit.ids().size())));
        session.settle(begun, unit, new UnitVerdict.RequestsSettled(one, Map.of()));
        pass.settled(System.nanoTime());
      } else {
        session.settle(begun, unit, UnitVerdict.RequestsSettled.allComplete(unit));
        pass.settled(System.nanoTime());
      }
    }

    /** Its session ends, and what it had claimed is disowned on another. */
    private void kill(Claim.Begun begun) throws SQLException {
      killed.incrementAndGet();
      if (random.nextBoolean()) {
        site.terminate(machine);
      } else {
        session.abort();
      }
      session.close();
      session = site.worker(machine);
      session.disown(Attempt.at(begun));
    }
  }

  private void enter(Connection outside, WorkUnit unit) throws SQLException {
    RequestSite.run(
        outside,
        "INSERT INTO public.visits (entity, fence, is_create) VALUES ('%s', '%d', %b)"
            .formatted(unit.entity(), unit.fence(), unit.isCreate()));
    String others =
        """
        SELECT count(*) FROM public.visits WHERE entity = '%s' AND NOT gone
          AND fence <> '%d' AND pg_xact_status(fence) = 'in progress'"""
            .formatted(unit.entity(), unit.fence());
    overlaps.addAndGet(Integer.parseInt(RequestSite.ask(outside, others)));
  }

  private static void leave(Connection outside, WorkUnit unit) throws SQLException {
    RequestSite.run(
        outside, "UPDATE public.visits SET gone = true WHERE fence = '%d'".formatted(unit.fence()));
  }
}
