package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.Run;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An operator has recorders handed over between two real hosts; each test leaves them with host-a.
 */
@Timeout(900)
class HandOverIT {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final String WAIT = "120";
  private static final String SECOND = "second";

  private static final String LATEST =
      "SELECT state FROM recorder.operator_orders WHERE kind = 'switchover' ORDER BY id DESC LIMIT"
          + " 1";

  /** What changes when anything is ordered. */
  private static final String WRITTEN =
      """
      SELECT concat_ws(' ', (SELECT count(*) FROM recorder.operator_orders WHERE kind = 'switchover'),
        (SELECT string_agg(epoch || coalesce(switch_to, '-'), ' ') FROM recorder.lock_recorders))
      """;

  @RegisterExtension private static final TwoHosts HOSTS = new TwoHosts(Cluster.RECORDER, SECOND);

  private static Cluster cluster;
  private static Observer observer;
  private static Host a;
  private static Host b;
  private static Ghost ghost;

  @BeforeAll
  static void arrange() throws Exception {
    cluster = HOSTS.cluster();
    observer = HOSTS.observer();
    a = HOSTS.a();
    b = HOSTS.b();
    observer.awaitHolder(SECOND, "host-a", SOON);
    ghost = new Ghost(cluster.database(), "host-c");
    awaitAble(b);
  }

  @AfterAll
  static void stop() throws Exception {
    ghost.close();
  }

  @AfterEach
  void bringBack() throws Exception {
    ghost.isAble("{1,2}");
    cluster
        .database()
        .execute(
            "UPDATE recorder.operator_orders SET state = 'withdrawn' WHERE state = 'new'",
            """
            UPDATE recorder.lock_recorders SET switch_to = NULL, switch_why = NULL
            WHERE switch_why = 'operator'
            """);
    for (String recorder : List.of(Cluster.RECORDER, SECOND)) {
      await().until(() -> switchover(recorder, "host-a", "--wait", WAIT).exitCode() == 0);
    }
  }

  // ---- switchover

  @Test
  void itIsDoneAndTheReceiptSaysWhoOrderedIt() throws Exception {
    Run done = switchover("orders", "host-b", "--wait", WAIT, "-o", "json").exits(0);

    assertThat(done.out())
        .startsWith(
            "{\"recorder\":\"orders\",\"state\":\"done\",\"why\":\"recorder orders: host-a -> ")
        .containsPattern(
            "\"from\":\"host-a\",\"to\":\"host-b\",\"from_epoch\":\\d+,\"to_epoch\":\\d+,\"gap_ms\":\\d+,")
        .hasLineCount(1);
    assertThat(ask("SELECT holder FROM recorder.lock_recorders WHERE lock_id = 1"))
        .isEqualTo("host-b");
    assertThat(
            cluster
                .database()
                .number(
                    """
                    SELECT count(*) FROM recorder.operator_orders o JOIN recorder.takeovers t
                      ON t.lock_id = o.lock_id AND t.from_epoch = (o.answer ->> 'epoch')::bigint
                    WHERE o.kind = 'switchover' AND o.state = 'taken' AND o.argument = 'host-b'
                      AND t.to_machine = 'host-b' AND t.reason = 'switchover'
                      AND o.asked_by = 'recorder' AND o.client_addr = '127.0.0.1'
                      AND o.os_user <> '' AND o.taken_at >= o.asked_at
                    """))
        .isEqualTo(1);
  }

  @Test
  void whatNobodyTakesInTimeIsWithdrawnAndNeverDone() throws Exception {
    ghost.awaitSilence();
    String before = term();

    Run refused = switchover("orders", "host-c", "--wait", "1", "-o", "json").exits(73);

    assertThat(refused.out()).contains("\"state\":\"refused\",\"why\":\"host-a did not take");
    assertThat(refused.err())
        .contains("host-a did not take the order to hand recorder orders over to host-c within")
        .contains("it is withdrawn: nothing was done, and nothing will be")
        .hasLineCount(1);
    assertThat(ask(LATEST)).isEqualTo("withdrawn");
    ghost.beatForAWhile();
    assertThat(term()).isEqualTo(before);
  }

  @Test
  void whatIsInterruptedIsWithdrawn() throws Exception {
    ghost.awaitSilence();
    String before = term();
    Process waiting =
        cluster
            .command("switchover", "orders", "--to", "host-c", "--wait", "600")
            .redirectErrorStream(true)
            .start();
    await().until(() -> ask(LATEST).equals("new"));
    assertThat(switchover("orders", "host-b").exits(73).err())
        .contains("has ordered recorder orders to go to host-c");

    waiting.toHandle().destroy();

    assertThat(new String(waiting.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("is withdrawn: nothing was done, and nothing will be");
    assertThat(waiting.waitFor()).isEqualTo(143);
    assertThat(ask(LATEST)).isEqualTo("withdrawn");
    ghost.beatForAWhile();
    assertThat(term()).isEqualTo(before);
  }

  @Test
  void whatWasTakenAndIsNotDoneInTimeIsSaidToBeUnderWay() throws Exception {
    ghost.awaitSilence();
    // For a host that takes the order at once and then comes to nothing.
    cluster
        .database()
        .execute(
            """
            CREATE FUNCTION recorder.taken() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              NEW.state := 'taken';
              NEW.answer := (
                SELECT json_build_object('epoch', epoch) FROM recorder.lock_recorders
                WHERE lock_id = NEW.lock_id);
              RETURN NEW;
            END $$
            """,
            """
            CREATE TRIGGER taken BEFORE INSERT ON recorder.operator_orders
            FOR EACH ROW EXECUTE FUNCTION recorder.taken()
            """);
    try {
      Run underWay = switchover("orders", "host-c", "--wait", "1", "-o", "json").exits(75);
      assertThat(underWay.out()).contains("\"state\":\"under_way\",\"why\":\"host-a has taken");
      assertThat(underWay.err())
          .contains("host-a has taken the order to hand recorder orders over to host-c")
          .contains("it is still under way; 'recorder takeovers orders' shows when it is done")
          .hasLineCount(1);
    } finally {
      cluster.database().execute("DROP FUNCTION recorder.taken CASCADE");
    }
  }

  @Test
  void anOrderWhoseTimeIsOverIsNotTakenAlthoughNobodyWithdrewIt() throws Exception {
    String before = term();

    // As of a command that was killed: the target is ready, and the request stands.
    cluster
        .database()
        .execute(
            """
            INSERT INTO recorder.operator_orders
              (kind, asked_at, lock_id, recorder, argument, take_within_ms, os_user)
            VALUES ('switchover', now() - interval '1 minute', 1, 'orders', 'host-b', 1000, 'me')
            """,
            """
            UPDATE recorder.lock_recorders SET switch_to = 'host-b', switch_why = 'operator'
            WHERE lock_id = 1
            """);

    await()
        .until(
            () ->
                ask("SELECT coalesce(switch_to, 'nobody') FROM recorder.lock_recorders WHERE"
                        + " lock_id = 1")
                    .equals("nobody"));
    assertThat(term()).isEqualTo(before);
    assertThat(ask(LATEST)).isEqualTo("new");
  }

  @Test
  void aDryRunSaysWhatWouldHappenAndWritesNothing() throws Exception {
    String before = ask(WRITTEN);

    Run preview = switchover("orders", "host-b", "--dry-run").exits(0);

    assertThat(preview.out())
        .containsPattern("^recorder orders goes from host-a to host-b, in term \\d+\n")
        .containsPattern("no host was active for|was never handed over")
        .contains("it goes back to its primary")
        .endsWith("nothing was ordered: --dry-run\n");
    assertThat(switchover("orders", "host-a", "--dry-run").exits(0).out()).contains("already");
    assertThat(ask(WRITTEN)).isEqualTo(before);
  }

  @Test
  void whatCannotBeIsRefusedInASentenceAndNothingIsWritten() throws Exception {
    String before = ask(WRITTEN);

    assertThat(switchover("orders", "host-x").exits(2).err()).contains("no host 'host-x'");
    assertThat(switchover("orders", "host-a").exits(0).out()).contains("is active on host-a");
    ghost.isAble("{}");
    assertThat(switchover("orders", "host-c").exits(73).err())
        .contains("host host-c is not able to take recorder orders");

    assertThat(ask(WRITTEN)).isEqualTo(before);
  }

  // ---- rehearsal

  @Test
  void aRehearsalTestsAllOnTheTargetItselfAndMovesNothing() throws Exception {
    String before = ask(WRITTEN);

    Run rehearsed = switchover("orders", "host-b", "--rehearse", "--wait", WAIT).exits(0);

    assertThat(rehearsed.out())
        .startsWith(
            """
            file: fine, the process does what it says
            able: fine
            rights: fine
            store: fine
            read: fine
            """)
        .containsPattern("\nrecorder orders goes from host-a to host-b, in term \\d+\n")
        .endsWith("nothing was ordered: --rehearse\n");
    assertThat(b.log())
        .anyMatch(line -> line.matches(".*rehearse orders, as asked by .+ \\(database user .*"));
    assertThat(ask(WRITTEN)).isEqualTo(before);
  }

  @Test
  void aRehearsalSaysWhatIsInTheWayThere() throws Exception {
    String file = Files.readString(cluster.file("host-b.ini"));
    b.edit("primary = false", "primary = maybe");
    cluster.database().execute("ALTER TABLE handoff.orders RENAME COLUMN payload TO elsewhere");
    try {
      Run refused = switchover("orders", "host-b", "--rehearse", "--wait", WAIT).exits(73);

      assertThat(refused.out())
          .containsPattern("file: .*host-b.ini cannot be used, .*primary = maybe")
          .containsPattern("\nread: .*payload");
    } finally {
      cluster.database().execute("ALTER TABLE handoff.orders RENAME COLUMN elsewhere TO payload");
      Files.writeString(cluster.file("host-b.ini"), file);
    }
    awaitAble(b);
  }

  /** It says so even if it has found the store to be good by itself, and would again. */
  @Test
  void aRehearsalOnAStoreThatLostARaceElsewhereSaysSo() throws Exception {
    cluster
        .database()
        .execute(
            """
            INSERT INTO recorder.lost_races (endpoint, bucket, promise, machine, what)
            SELECT layout->>'endpoint', layout->>'bucket', 'create', 'host-z', 'two won'
            FROM recorder.lock_recorders WHERE recorder = 'orders'
            """);
    try {
      assertThat(switchover("orders", "host-b", "--rehearse", "--wait", WAIT).exits(73).out())
          .contains("\nstore: two won; host host-z saw it at ");
    } finally {
      cluster.database().execute("DELETE FROM recorder.lost_races");
    }
    awaitAble(b);
    await()
        .until(() -> switchover("orders", "host-b", "--rehearse", "--wait", WAIT).exitCode() == 0);
  }

  @Test
  void whoIsNotAliveRehearsesNothing() throws Exception {
    String before = ask(WRITTEN);
    cluster
        .database()
        .execute(
            """
            INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary,
              able, pid, backend_start, version, config_hash)
            VALUES ('host-d', now() - interval '1 hour', 0, 2, '{}', 1, now(), 'test', 'none')
            """);
    try {
      assertThat(switchover("orders", "host-d", "--rehearse").exits(73).err())
          .contains("host host-d is not alive, its last heartbeat was at ");
      assertThat(switchover("orders", "host-x", "--rehearse").exits(2).err())
          .contains("no host 'host-x'");
    } finally {
      cluster.database().execute("DELETE FROM recorder.info_recorders WHERE name = 'host-d'");
    }
    assertThat(ask(WRITTEN)).isEqualTo(before);
  }

  // ---- drain

  @Test
  void aDrainedHostHandsAllOverAndTakesNothingUntilItIsUndrained() throws Exception {
    ghost.isAble("{}");
    Run drained = run(a, "drain", "host-a", "--wait", WAIT).exits(0);

    assertThat(drained.out())
        .contains("recorder orders: handed over\n", "recorder second: handed over\n")
        .contains("host-a has no log left, and takes no other: 'recorder undrain host-a' ends");
    assertThat(holders()).isEqualTo("host-b host-b");
    await()
        .until(() -> run(a, "status").out().contains("host-a: not able to take it: it is drained"));
    assertThat(run(a, "explain", "orders", "--host", "host-a").out())
        .containsPattern(
            "it is drained, as asked by .+ \\(database user recorder, from 127.0.0.1\\)")
        .contains("'recorder undrain host-a' ends that, and a restart");
    assertThat(switchover("orders", "host-a").exits(73).err()).contains("host-a is not able");

    Run kept = run(a, "drain", "host-b", "--wait", WAIT).exits(75);
    assertThat(kept.out())
        .contains("recorder orders: kept, as no other host is able to take it")
        .contains("host-b is drained as far as that goes");
    await()
        .until(
            () -> run(a, "status").out().contains("orders on host-b: it is drained, as asked by "));
    assertThat(run(a, "explain", "orders", "--host", "host-b").out())
        .contains("and keeps it until another host is able to take it; 'recorder undrain host-b'");
    assertThat(holders()).isEqualTo("host-b host-b");

    assertThat(run(a, "undrain", "host-a", "--wait", WAIT).exits(0).out())
        .startsWith("host-a accepts recorders again");
    observer.awaitHolder(Cluster.RECORDER, "host-a", SOON);
    observer.awaitHolder(SECOND, "host-a", SOON);
    run(a, "undrain", "host-b", "--wait", WAIT).exits(0);
    awaitAble(b);
    assertThat(
            cluster
                .database()
                .number(
                    """
                    SELECT count(*) FROM recorder.operator_orders
                    WHERE state = 'done' AND asked_by = 'recorder' AND client_addr = '127.0.0.1'
                      AND os_user <> '' AND taken_at >= asked_at AND ended_at >= taken_at
                    """))
        .isGreaterThanOrEqualTo(4);
  }

  @Test
  void aRollingRestartLeavesNobodyWaitingForLong() throws Exception {
    ghost.isAble("{}");
    String before = ask("SELECT max(id) FROM recorder.takeovers");
    for (Host host : List.of(a, b)) {
      run(a, "drain", host.name(), "--wait", WAIT).exits(0);
      assertThat(holders()).doesNotContain(host.name());
      host.terminate();
      assertThat(host.awaitExit(SOON)).isZero();
      host.start();
      awaitAble(host); // A process that starts is not drained.
      insert();
    }

    assertThat(holders()).isEqualTo("host-a host-a");
    assertThat(
            cluster
                .database()
                .number(
                    """
                    SELECT count(*) FROM recorder.takeovers
                    WHERE reason NOT IN ('switchover', 'failback') AND id > %s
                    """
                        .formatted(before)))
        .isZero();
    await()
        .until(
            () -> ask("SELECT sum(row_count) FROM recorder.slots WHERE lock_id = 1").equals("20"));
    run(a, "verify", "orders").exits(0);
  }

  @Test
  void whoIsNotAliveOrNeverWasIsNotDrained() {
    assertThat(run(a, "drain", "host-x").exits(2).err())
        .contains("no host 'host-x' has ever run here; there are: ");
    assertThat(run(a, "drain", "host-c", "--wait", "1").exits(75).err())
        .contains("host host-c did not take the order to be drained within 1 s")
        .contains("nothing was done");
  }

  @Test
  void withoutTheDatabaseNothingIsOrdered() {
    a.database().all().refuseNew();
    try {
      for (String command :
          List.of("switchover orders --to host-b", "drain host-b", "undrain host-b")) {
        assertThat(run(a, command.split(" ")).exits(69).err()).hasLineCount(1);
      }
    } finally {
      a.heal();
    }
  }

  /** Of both logs: what nobody is able to take is kept by who is drained. */
  private static void awaitAble(Host host) throws Exception {
    observer.awaitReady(host, SOON);
    await()
        .until(
            () ->
                ask("SELECT able @> '{1,2}' FROM recorder.info_recorders WHERE name = '%s'"
                        .formatted(host.name()))
                    .equals("t"));
  }

  private static void insert() throws Exception {
    cluster
        .database()
        .execute(
            "INSERT INTO handoff.orders (key, payload) SELECT 'k', '{}' FROM generate_series(1,"
                + " 10)");
  }

  private static String holders() throws Exception {
    return ask("SELECT string_agg(holder, ' ' ORDER BY lock_id) FROM recorder.lock_recorders");
  }

  // ---- what the tests do

  private static Run switchover(String recorder, String to, String... more) {
    return run(a, Run.words("switchover " + recorder + " --to " + to, more));
  }

  private static Run run(Host host, String... words) {
    return HOSTS.run(host, words);
  }

  private static String ask(String sql) throws Exception {
    return cluster.database().query(sql, row -> String.valueOf(row.getString(1))).get(0);
  }

  private static String term() throws Exception {
    return ask("SELECT holder || epoch FROM recorder.lock_recorders WHERE lock_id = 1");
  }
}
