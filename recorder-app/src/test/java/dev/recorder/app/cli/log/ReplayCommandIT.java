package dev.recorder.app.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.testing.servers.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of changes that a machine has recorded, replayed by the command. */
public class ReplayCommandIT {
  @TempDir private Path folder;

  private TestSite site;
  private TestDatabase target;
  private Path into;

  @BeforeEach
  void recordChanges() throws Exception {
    site = TestSite.create(folder);
    target = TestDatabase.createOwned();
    into = site.write("target.ini", database(target));
    site.start();
    site.execute("CREATE SEQUENCE recorder.capture_orders_seq");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
    target.close();
  }

  /** A section that names it. */
  public static String database(TestDatabase database) {
    return """
    [postgredb]
    endpoint = 127.0.0.1
    port = %d
    database = %s
    user = %s
    password = %s
    """
        .formatted(
            database.server().port(), database.name(), TestDatabase.ROLE, TestDatabase.PASSWORD);
  }

  /** A {@code schema} row, and a thousand changes of ten rows, in slots of a hundred. */
  private void changes() throws Exception {
    String values =
        "(1, '{\"by\":\"recorder_capture\",\"op\":\"schema\",\"table\":\"public.account\",\"seq\":1,\"columns\":["
            + "{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"n\",\"type\":\"integer\"}],"
            + "\"key\":[\"id\"]}'::json)";
    site.execute(
        "INSERT INTO handoff.orders (key, payload) SELECT i, p FROM (VALUES "
            + values
            + ") v(i, p)",
        "INSERT INTO handoff.orders (key, payload) SELECT seq, row_to_json(c) FROM (SELECT"
            + " 'recorder_capture' AS by, CASE WHEN i < 10 THEN 'insert' ELSE 'update' END AS op,"
            + " 'public.account' AS \"table\", i + 2 AS seq, json_build_object('id', i % 10) AS key,"
            + " json_build_object('id', i % 10, 'n', i) AS after"
            + " FROM generate_series(0, 999) i) c");
    site.record("orders", 0);
  }

  @Test
  void tablesAreRebuiltFromTheBucketAloneAndOnceOnly() throws Exception {
    changes();
    site.stop();
    Path withoutDatabase = site.write("away.ini", site.textWithPort(1));

    Run first =
        Run.command(withoutDatabase, "replay", "orders", "--into", into.toString(), "-o", "json");
    Run second =
        Run.command(withoutDatabase, "replay", "orders", "--into", into.toString(), "-o", "json");

    JsonNode done = first.exits(ExitCode.OK).saysNothing().json();
    assertThat(Run.names(done))
        .isEqualTo(
            "recorder log from_slot next_slot slots rows changes look_alikes open_slots commits_lost_before"
                + " incomplete as_text schema_version");
    assertThat(done.get("incomplete")).isEmpty();
    assertThat(done.get("changes").longValue()).isEqualTo(1001);
    assertThat(done.get("slots").longValue()).isGreaterThan(10);
    assertThat(done.get("open_slots").longValue()).isZero();
    assertThat(second.exits(ExitCode.OK).json().get("slots").longValue()).isZero();
    assertThat(accounts())
        .containsExactly(
            "0:990", "1:991", "2:992", "3:993", "4:994", "5:995", "6:996", "7:997", "8:998",
            "9:999");
  }

  @Test
  void aTableThatLosesValuesIsTold() throws Exception {
    site.execute(
        "INSERT INTO handoff.orders (key, payload) VALUES ('1', '{\"by\":\"recorder_capture\",\"op\":\"schema\","
            + "\"table\":\"public.task\",\"seq\":1,\"columns\":[{\"name\":\"id\",\"type\":"
            + "\"integer\"},{\"name\":\"state\",\"type\":\"text\"}],\"key\":[\"id\"]}'),"
            + " ('1', '{\"by\":\"recorder_capture\",\"op\":\"insert\",\"table\":\"public.task\",\"seq\":2,\"key\":{\"id\":1},"
            + "\"after\":{\"id\":1,\"state\":\"open\"}}'),"
            + " ('1', '{\"by\":\"recorder_capture\",\"op\":\"schema\",\"table\":\"public.task\",\"seq\":3,\"columns\":["
            + "{\"name\":\"id\",\"type\":\"integer\"},{\"name\":\"state\",\"type\":\"integer\"}],"
            + "\"key\":[\"id\"]}')");
    site.record("orders", 0);

    Run run = site.run("replay", "orders", "--into", into.toString(), "-o", "json");

    run.exits(ExitCode.OK).says("public.task", "the values of state are NULL", "new snapshot");
    assertThat(run.json().get("incomplete").get(0).textValue()).isEqualTo("public.task");
  }

  @Test
  void rowsThatOnlyLookLikeChangesAreToldOnceAtTheEnd() throws Exception {
    site.execute(
        "INSERT INTO handoff.orders (payload)"
            + " SELECT '{\"op\":\"truncate\",\"table\":\"x\",\"seq\":1}' FROM generate_series(1, 3)");
    site.record("orders", 0);

    site.run("replay", "orders", "--into", into.toString())
        .exits(ExitCode.OK)
        .inOneLine()
        .says("3 rows with the members of a captured change came from no capture");
    site.run("replay", "orders", "--into", into.toString()).exits(ExitCode.OK).saysNothing();
  }

  @Test
  void aPersonReadsATable() throws Exception {
    changes();

    site.run("replay", "orders", "--into", into.toString())
        .exits(ExitCode.OK)
        .printsLike("RECORDER +FROM SLOT +SLOTS +ROWS +CHANGES +NEXT SLOT", "orders +1 .* 1001 ");
  }

  @Test
  void theDatabaseThatIsRecordedIsNotReplayedInto() throws Exception {
    site.execute("CREATE TABLE public.account (id integer PRIMARY KEY, n integer)");
    changes();

    site.run("replay", "orders", "--into", site.ini().toString())
        .exits(ExitCode.CONFIGURATION)
        .inOneLine()
        .says("a table public.account already, which no replay has made");
  }

  @Test
  void aTargetGoesOnOnlyWhereItStands() throws Exception {
    changes();
    site.run("replay", "orders", "--into", into.toString()).exits(ExitCode.OK);

    site.run("replay", "orders", "--into", into.toString(), "--from", "1")
        .exits(ExitCode.USAGE)
        .inOneLine()
        .says("it continues with slot");
  }

  @Test
  void changesWithoutTheirColumnsArePassedOverAndTold() throws Exception {
    changes();

    site.run("replay", "orders", "--into", into.toString(), "--from", "3")
        .exits(ExitCode.OK)
        .says("changes of public.account are passed over: no 'schema' row");
  }

  @Test
  void anEmptyLogIsNoFailure() {
    site.run("replay", "orders", "--into", into.toString())
        .exits(ExitCode.OK)
        .says("there is no slot 1");
  }

  @Test
  void whoIsThereFirstReplays() throws Exception {
    try (Connection other = target.connect();
        var statement = other.createStatement()) {
      statement.execute(
          "SELECT pg_advisory_lock(('x' || left(md5('recorder_replay'), 8))::bit(32)::integer,"
              + " ('x' || left(md5('orders'), 8))::bit(32)::integer)");
      site.run("replay", "orders", "--into", into.toString())
          .exits(ExitCode.TRY_LATER)
          .inOneLine()
          .says("another session replays orders into this database")
          .says(": database session ", " of role recorder, application '");
    }
  }

  @Test
  void badCallsAreToldInALine() throws Exception {
    Path nothing = site.write("nothing.ini", "[redis]\nendpoint = 127.0.0.1\n");
    Path gone = site.write("gone.ini", database(target).replaceFirst("port = \\d+", "port = 1"));

    site.run("replay", "order", "--into", into.toString())
        .exits(ExitCode.USAGE)
        .says("did you mean 'orders'?");
    site.run("replay", "orders").exits(ExitCode.USAGE).says("--into");
    site.run("replay", "orders", "--into", nothing.toString())
        .exits(ExitCode.CONFIGURATION)
        .says("has no section [postgredb]");
    site.run("replay", "orders", "--into", gone.toString()).exits(ExitCode.UNREACHABLE).inOneLine();
    site.run("replay", "orders", "--into", folder.resolve("none.ini").toString())
        .exits(ExitCode.CONFIGURATION)
        .says("none.ini");
  }

  private List<String> accounts() throws Exception {
    return target.query(
        "SELECT id || ':' || n FROM public.account ORDER BY id", row -> row.getString(1));
  }
}
