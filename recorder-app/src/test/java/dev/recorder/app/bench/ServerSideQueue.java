package dev.recorder.app.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Grouped units inside the server: a procedure claims the first row, looks at the entity's create,
 * locks and settles the entity's rows, and commits, in a loop. No client and no network could be
 * faster.
 *
 * @param marks whether the group is first written as {@code in-progress}, as the article does that
 *     this kind of queue goes back to, or only locked
 */
record ServerSideQueue(boolean marks) {

  /** Works {@link QueueSite#OTHER} off, and returns the seconds that took. */
  double work(QueueSite site, int sessions) throws Exception {
    site.execute(procedure());
    ExecutorService threads = Executors.newFixedThreadPool(sessions);
    try {
      long start = System.nanoTime();
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        calls.add(
            threads.submit(
                () -> {
                  call(site);
                  return null;
                }));
      }
      for (Future<?> call : calls) {
        call.get();
      }
      return (System.nanoTime() - start) / 1e9;
    } finally {
      threads.shutdownNow();
    }
  }

  private static void call(QueueSite site) throws SQLException {
    try (Connection connection = site.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off");
      statement.execute("CALL work_off()");
    }
  }

  private String procedure() {
    String group =
        "entity_id = first.entity_id AND request_status = 'new' AND request_type = 'update'"
            + " AND octet_length(entity_id) <= 1024";
    String take =
        marks
            ? "WITH taken AS (UPDATE other_side SET request_status = 'in-progress',"
                + " process_id = unit WHERE id IN (SELECT id FROM other_side WHERE "
                + group
                + " ORDER BY id FOR UPDATE NOWAIT) RETURNING id)"
                + " SELECT array_agg(id) INTO ids FROM taken"
            : "SELECT array_agg(id) INTO ids FROM (SELECT id FROM other_side WHERE "
                + group
                + " ORDER BY id FOR UPDATE NOWAIT) g";
    return """
        CREATE OR REPLACE PROCEDURE work_off() LANGUAGE plpgsql AS $$
        DECLARE
          line bigint := 0;
          unit uuid;
          ids bigint[];
          first record;
        BEGIN
          LOOP
            SELECT id, entity_id INTO first FROM other_side
              WHERE request_status = 'new' AND id > line ORDER BY id LIMIT 1
              FOR UPDATE SKIP LOCKED;
            EXIT WHEN NOT FOUND;
            line := first.id;
            unit := gen_random_uuid();
            BEGIN
              PERFORM 1 FROM other_side WHERE entity_id = first.entity_id
                AND request_type = 'create' AND octet_length(entity_id) <= 1024
                FOR UPDATE NOWAIT;
              %s;
              UPDATE other_side SET request_status = 'complete', process_id = unit,
                settled_at = clock_timestamp() WHERE id = ANY (ids);
            EXCEPTION WHEN lock_not_available THEN NULL;
            END;
            COMMIT;
          END LOOP;
        END $$"""
        .formatted(take);
  }
}
