package dev.recorder.app.cli.log;

import static dev.recorder.app.cli.log.ReplayCommandIT.database;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.testing.servers.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log read up to a moment: by {@code replay}, {@code cat} and {@code at}. */
class MomentsIT {
  private static final String ROW =
      """
      INSERT INTO handoff.orders (key, payload)
      SELECT 'account/' || id, row_to_json(change)
      FROM generate_series(%2$d, %3$d) AS id CROSS JOIN LATERAL (SELECT 'recorder_capture' AS by,
        'update' AS op, 'public.account' AS "table", nextval('recorder.capture_orders_seq') AS seq,
        json_build_object('id', id) AS key, json_build_object('id', id, 'n', %1$d) AS after
        ) AS change
      """;

  @TempDir private Path folder;

  private final Map<Integer, Integer> accounts = new TreeMap<>();
  private TestSite site;
  private TestDatabase target;
  private Path into;

  /**
   * A moment after which nothing had committed that is not recorded.
   *
   * @param accounts the table as it was
   */
  private record Moment(String time, List<String> accounts) {}

  @BeforeEach
  void start() throws Exception {
    site = TestSite.create(folder);
    target = TestDatabase.createOwned();
    into = site.write("target.ini", database(target));
    site.start();
    site.execute(
        "CREATE SEQUENCE recorder.capture_orders_seq",
        "INSERT INTO handoff.orders (key, payload) VALUES ('1', '{\"by\":\"recorder_capture\","
            + "\"op\":\"schema\",\"table\":\"public.account\",\"seq\":0,\"columns\":["
            + "{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"n\",\"type\":\"integer\"}],"
            + "\"key\":[\"id\"]}'::json)");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
    target.close();
  }

  /** Sets accounts in one transaction; more than a hundred take more than one slot. */
  private void set(int from, int to, int n) throws Exception {
    site.execute(ROW.formatted(n, from, to));
    put(from, to, n);
  }

  private void put(int from, int to, int n) {
    for (int id = from; id <= to; id++) {
      accounts.put(id, n);
    }
  }

  private Moment moment() throws Exception {
    site.record("orders", 0);
    return new Moment(
        site.ask("SELECT to_char(clock_timestamp(), 'YYYY-MM-DD\"T\"HH24:MI:SS.USTZH:TZM')"),
        accounts.entrySet().stream().map(e -> e.getKey() + ":" + e.getValue()).toList());
  }

  private Run replay(String... more) {
    List<String> all =
        new ArrayList<>(List.of("replay", "orders", "--into", into.toString(), "-o", "json"));
    all.addAll(List.of(more));
    return site.run(all.toArray(String[]::new));
  }

  private List<String> copy() throws Exception {
    return target.query(
        "SELECT id || ':' || n FROM public.account ORDER BY id", row -> row.getString(1));
  }

  @Test
  void aCopyIsTheTableAsItWasAtEachOfManyMoments() throws Exception {
    Random random = new Random(42);
    List<Moment> moments = new ArrayList<>();
    for (int n = 1; n <= 8; n++) {
      int from = random.nextInt(50);
      set(from, from + random.nextInt(250), n);
      set(from, from, 100 + n);
      moments.add(moment());
    }

    for (Moment each : moments) {
      replay("--until", each.time()).exits(ExitCode.OK).saysNothing();
      assertThat(copy()).isEqualTo(each.accounts());
    }
    replay("--until", moments.get(2).time())
        .exits(ExitCode.USAGE)
        .inOneLine()
        .says("the replay continues with slot", "replay into another database");
    assertThat(copy()).isEqualTo(moments.get(7).accounts());
  }

  @Test
  void aTransactionThatCommitsAfterAMomentIsNotBeforeIt() throws Exception {
    try (Connection connection = site.database.connect();
        Statement slow = connection.createStatement()) {
      connection.setAutoCommit(false);
      slow.execute(ROW.formatted(7, 500, 501));
      String xid =
          site.ask("SELECT backend_xid FROM pg_stat_activity WHERE backend_xid IS NOT NULL");
      set(1, 3, 1);
      site.await("SELECT sum(row_count) FROM recorder.slots", "4");
      String time = site.ask("SELECT to_json(clock_timestamp()) #>> '{}'");
      connection.commit();
      put(500, 501, 7);
      set(4, 4, 1);
      site.record("orders", 0);

      JsonNode before = replay("--until", "xid:" + xid).exits(ExitCode.OK).json();
      assertThat(copy()).containsExactly("1:1", "2:1", "3:1");
      JsonNode same = replay("--until", time).exits(ExitCode.OK).json();
      assertThat(same.get("next_slot")).isEqualTo(before.get("next_slot"));
      replay().exits(ExitCode.OK);
      assertThat(copy()).containsExactly("1:1", "2:1", "3:1", "4:1", "500:7", "501:7");
    }
  }

  @Test
  void aSlotInTheMiddleOfAWindowIsAMomentBeforeIt() throws Exception {
    set(1, 3, 1);
    site.record("orders", 0);
    set(1, 350, 2);
    site.record("orders", 0);
    JsonNode at =
        site.run("at", "2147483647", "orders", "-o", "json").exits(ExitCode.OK).json().get(0);
    long last = at.get("slot").longValue();

    Run first = replay("--until", Long.toString(last));

    assertThat(copy()).containsExactly("1:1", "2:1", "3:1");
    first.exits(ExitCode.OK);
    JsonNode before =
        site.run("at", Long.toString(last), "orders", "-o", "json")
            .exits(ExitCode.OK)
            .json()
            .get(0);
    assertThat(before.get("slot").longValue() + 1)
        .isEqualTo(first.json().get("next_slot").longValue())
        .isLessThan(last);
    assertThat(before.get("read_at").textValue()).isLessThan(at.get("read_at").textValue());
    assertThat(site.run("cat", "orders", "--until", Long.toString(last)).exits(ExitCode.OK).out())
        .doesNotContain("\"id\":350");
  }

  @Test
  void aLogIsVerifiedUpToAMoment() throws Exception {
    set(1, 250, 1);
    site.record("orders", 0);
    long slots = site.run("at", "2147483647", "-o", "json").json().get(0).get("slot").longValue();
    set(1, 250, 2);
    Moment later = moment();
    site.execute("DELETE FROM handoff.orders WHERE id = (SELECT max(id) FROM handoff.orders)");
    site.execute("INSERT INTO handoff.orders (key, payload) VALUES ('waits', '{}')");

    JsonNode before =
        site.run("verify", "orders", "--until", Long.toString(slots + 1), "-o", "json")
            .exits(ExitCode.OK)
            .json();
    assertThat(before.get("slots").longValue()).isEqualTo(slots);
    assertThat(before.get("rows").longValue()).isEqualTo(251);
    site.run("verify", "orders", "--until", later.time()).exits(ExitCode.FAULTS);
    site.execute("DELETE FROM handoff.orders WHERE id = 7");
    site.run("verify", "orders", "--until", Long.toString(slots + 1)).exits(ExitCode.FAULTS);
    site.run("verify", "orders", "--until", "1")
        .exits(ExitCode.USAGE)
        .says("no window of the log of orders had ended before slot 1");
  }

  @Test
  void aMissingObjectIsNotTheEndOfTheLog() throws Exception {
    // Apart, so that the slots of what follows are known.
    site.record("orders", 0);
    for (int n = 1; n <= 3; n++) {
      set(1, 250, n);
      site.record("orders", 0);
    }
    site.run("verify", "orders", "--from", "6", "--until", "5")
        .exits(ExitCode.USAGE)
        .says("--until slot 5 ends with slot 4, which is before --from 6");
    assertThat(site.run("verify", "orders", "--until", "6").exits(ExitCode.OK).out())
        .doesNotContain("in flight");
    String key =
        site.store.keys(TestSite.BUCKET, "").stream()
            .filter(each -> each.contains("00000000000000000005."))
            .findFirst()
            .orElseThrow();
    site.store.delete(TestSite.BUCKET, key);

    site.run("verify", "orders", "--until", "7").exits(ExitCode.FAULTS);
    site.run("cat", "orders", "--until", "7").exits(ExitCode.FAULTS).says(key, "is missing");
  }

  @Test
  void momentsThatAreNoneAreMistakesOfUse() throws Exception {
    set(1, 3, 1);
    site.record("orders", 0);

    site.run("at", "2026-01-02")
        .exits(ExitCode.USAGE)
        .says("'2026-01-02' is no moment", "2026-01-02T03:04:05Z", "xid:4711");
    replay("--until", "xid:1")
        .inOneLine()
        .says("no row of the log of orders from slot 1 on is of transaction 1");
    assertThat(target.query("SELECT to_regclass('public.account')::text", row -> row.getString(1)))
        .containsOnlyNulls();
    site.run("cat", "orders", "-f", "--until", "3").exits(ExitCode.USAGE).says("--follow has none");
    site.run("at", "2001-01-01T00:00:00Z")
        .exits(ExitCode.OK)
        .printsLike("RECORDER +SLOT +READ AT +TRANSACTIONS BELOW", "orders +- +- +-");
  }
}
