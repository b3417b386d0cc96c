package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.replay.ReplayResult;
import dev.recorder.testing.RandomTransactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Transactions of several sessions that change the same few rows of two tables at random, and roll
 * some of it back; the log is cut into small slots, some of them meanwhile. Whenever there is rest
 * the tables that are replayed are the same, row by row.
 */
@Tag("nightly")
class ReplayManyIT {
  private static final int SESSIONS = 4;
  private static final int ROUNDS = 12;
  private static final int TRANSACTIONS = 10;
  private static final long SEED = 20261123;

  /** With {@link StagedChanges#NONE} the first rounds fail. */
  private static final String ORDER = StagedChanges.EFFECTS;

  /** Capture as docs/capture.md has its form, as short as it can be. */
  private static final String[] SOURCE = {
    "CREATE TABLE public.account (id integer PRIMARY KEY, owner text, amount numeric(12,2))",
    "CREATE TABLE public.note (about integer, text text)",
    """
    CREATE FUNCTION public.capture() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      this text := TG_TABLE_SCHEMA || '.' || TG_TABLE_NAME;
      this_seq bigint := nextval('public.effects');
      keyed boolean := TG_TABLE_NAME = 'account';
    BEGIN
      IF TG_OP = 'TRUNCATE' THEN
        INSERT INTO handoff.orders (payload)
        VALUES (json_build_object('op', 'truncate', 'table', this, 'seq', this_seq));
      ELSIF TG_OP = 'INSERT' THEN
        INSERT INTO handoff.orders (payload)
        SELECT json_strip_nulls(json_build_object('op', 'insert', 'table', this, 'seq', this_seq,
          'key', CASE WHEN keyed THEN json_build_object('id', to_json(n) -> 'id') END))
          ::jsonb || jsonb_build_object('after', to_jsonb(n)) FROM new_rows n;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO handoff.orders (payload)
        SELECT json_strip_nulls(json_build_object('op', 'delete', 'table', this, 'seq', this_seq,
          'key', CASE WHEN keyed THEN json_build_object('id', to_json(o) -> 'id') END))
          ::jsonb || jsonb_build_object('before', to_jsonb(o)) FROM old_rows o;
      ELSE
        -- As if each row had another key: what is left of the old rows, then the new ones.
        INSERT INTO handoff.orders (payload)
        SELECT json_strip_nulls(json_build_object('op', 'delete', 'table', this, 'seq', this_seq,
          'key', CASE WHEN keyed THEN json_build_object('id', to_json(o) -> 'id') END))
          ::jsonb || jsonb_build_object('before', to_jsonb(o)) FROM old_rows o;
        INSERT INTO handoff.orders (payload)
        SELECT json_strip_nulls(json_build_object('op', 'insert', 'table', this, 'seq', this_seq,
          'key', CASE WHEN keyed THEN json_build_object('id', to_json(n) -> 'id') END))
          ::jsonb || jsonb_build_object('after', to_jsonb(n)) FROM new_rows n;
      END IF;
      RETURN NULL;
    END $$
    """,
    """
    CREATE FUNCTION public.mark() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.payload ->> 'by' IS NULL THEN
        NEW.payload := overlay(NEW.payload::text PLACING '{"by":"recorder_capture",' FROM 1 FOR 1);
      END IF;
      RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER mark BEFORE INSERT ON handoff.orders FOR EACH ROW EXECUTE FUNCTION public.mark()"
  };

  private static String[] triggers(String table) {
    String run = " FOR EACH STATEMENT EXECUTE FUNCTION public.capture()";
    return new String[] {
      "CREATE TRIGGER i AFTER INSERT ON " + table + " REFERENCING NEW TABLE AS new_rows" + run,
      "CREATE TRIGGER d AFTER DELETE ON " + table + " REFERENCING OLD TABLE AS old_rows" + run,
      "CREATE TRIGGER u AFTER UPDATE ON "
          + table
          + " REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"
          + run,
      "CREATE TRIGGER t AFTER TRUNCATE ON " + table + run
    };
  }

  @Test
  void whateverChangesMeetTheTablesAreTheSameAtRest() throws Exception {
    try (ReplaySite site = new ReplaySite()) {
      site.source.database.execute(
          "ALTER DATABASE " + site.source.database.name() + " SET deadlock_timeout = '20ms'");
      site.source.run(SOURCE);
      site.source.run(triggers("public.account"));
      site.source.run(triggers("public.note"));
      site.change(
          "schema",
          "public.account",
          ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"owner\",\"type\":"
              + "\"text\"},{\"name\":\"amount\",\"type\":\"numeric(12,2)\"}],\"key\":[\"id\"]");
      site.change(
          "schema",
          "public.note",
          ",\"columns\":[{\"name\":\"about\",\"type\":\"integer\"},{\"name\":\"text\",\"type\":"
              + "\"text\"}]");

      ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
      try {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
          round(site, threads, random);
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static void round(ReplaySite site, ExecutorService threads, Random random)
      throws Exception {
    List<Future<Integer>> sessions = new ArrayList<>();
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(threads.submit(session(site, new Random(random.nextLong()))));
    }
    if (random.nextBoolean()) {
      site.source.record(1 + random.nextInt(9), 1 + random.nextInt(3));
      site.replay(ORDER);
    }
    int committed = 0;
    for (Future<Integer> session : sessions) {
      committed += session.get();
    }
    assertThat(committed).isPositive();
    site.source.record(1 + random.nextInt(20));

    ReplayResult result = site.replay(ORDER);

    assertThat(result.openSlots()).isZero();
    assertThat(result.stepsBefore()).isEmpty();
    for (String table : new String[] {"public.account", "public.note"}) {
      String rows = "SELECT t::text FROM " + table + " t ORDER BY 1";
      assertThat(site.there(rows)).as(table).isEqualTo(site.source.ask(rows));
    }
  }

  /** For how many of its transactions were committed. */
  private static Callable<Integer> session(ReplaySite site, Random random) {
    RandomTransactions transactions =
        new RandomTransactions(site.source.database, random, ReplayManyIT::change, 5);
    AtomicInteger left = new AtomicInteger(TRANSACTIONS);
    return () -> transactions.run(() -> left.getAndDecrement() > 0);
  }

  private static String change(Random random) {
    int id = random.nextInt(8);
    int other = random.nextInt(8);
    return switch (random.nextInt(12)) {
      case 0 -> "DELETE FROM public.account WHERE id = " + id;
      case 1 -> "UPDATE public.account SET id = -id WHERE id IN (%d, %d)".formatted(id, other);
      case 2 -> "UPDATE public.account SET id = abs(id)";
      case 3 -> random.nextInt(6) == 0 ? "TRUNCATE public.account" : "DELETE FROM public.note";
      case 4 -> "DELETE FROM public.note WHERE about = " + id;
      case 5, 6 ->
          ("INSERT INTO public.note"
                  + " SELECT %d, CASE WHEN i > 1 THEN 'n' END FROM generate_series(1, %d) i")
              .formatted(id, 1 + random.nextInt(3));
      case 7 -> "UPDATE public.note SET about = %d WHERE about = %d".formatted(other, id);
      case 8 -> random.nextInt(9) == 0 ? "TRUNCATE public.note, public.account" : "SELECT 1";
      case 9 -> "UPDATE public.account SET amount = amount + 0.10 WHERE id = " + id;
      default ->
          ("INSERT INTO public.account VALUES (%d, 'o%d', %d.50)"
                  + " ON CONFLICT (id) DO UPDATE SET amount = account.amount * 1.5")
              .formatted(id, other, random.nextInt(100));
    };
  }
}
