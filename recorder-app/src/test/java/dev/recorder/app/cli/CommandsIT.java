package dev.recorder.app.cli;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.diagnosis.Notes;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.TestDatabase;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read, beside a machine that ran or runs, on a real database and a real store. */
public class CommandsIT extends OwnSite {
  private static final Duration LONG = Duration.ofHours(1);

  @Override
  protected void runOnce(TestSite machine) throws Exception {
    machine.start();
    machine.record("orders", 250);
    machine.record("audit", 7);
    machine.stop();
  }

  // ---- status

  @Test
  @Reading
  void statusShowsMachinesAndRecordersToPeople() throws Exception {
    Run run = site.run("status").saysNothing().exits(0);

    assertThat(run.out().lines())
        .anyMatch(line -> line.matches("HOST +ALIVE +LAST BEAT +PRIMARY +SECONDARY .*"))
        .anyMatch(line -> line.matches("host-a +yes +\\S+ \\S+ +2 +0 +orders, audit +test"))
        .anyMatch(line -> line.matches("RECORDER +HOST +WANTED +ACTUAL +SINCE +EPOCH +LAST .*"))
        .anyMatch(
            line ->
                line.matches(
                    "orders +host-a +primary +active +\\S+ \\S+ +1 +[3-9] +\\d+ \\w+ ago +0 +- +-"))
        .anyMatch(line -> line.startsWith("WARNING orders: no host is able to take it over"));
  }

  @Test
  @Reading
  void statusGivesProgramsTheKeysOfTheContract() throws Exception {
    JsonNode json = site.run("status", "-o", "json").json();

    assertThat(Run.names(json)).isEqualTo("machines recorders standings notes schema_version");
    JsonNode machine = json.get("machines").get(0);
    assertThat(Run.names(machine)).startsWith("name alive num_primary num_secondary active ");
    assertThat(machine.get("alive").booleanValue()).isTrue();
    assertThat(machine.get("active").toString()).isEqualTo("[1,2]");
    JsonNode orders = json.get("recorders").get(0);
    assertThat(Run.names(orders))
        .isEqualTo(
            "recorder lockid kind holder epoch first_slot last_slot last_settled_at backlog_rows"
                + " backlog_more oldest_waiting_ms begun_at switch_to paused verdict");
    assertThat(orders.get("holder").textValue()).isEqualTo("host-a");
    assertThat(orders.get("backlog_rows").intValue()).isZero();
    assertThat(orders.get("last_settled_at").textValue()).endsWith("Z");
    assertThat(json.get("recorders").get(1).get("last_settled_at").isNull()).isTrue();
  }

  @Test
  @MachineStopped
  void statusOfAStoppedMachineShowsItsBacklog() throws Exception {
    site.execute("INSERT INTO handoff.orders (payload) VALUES ('1'), ('2')");

    JsonNode json = site.run("status", "-o", "json").json();

    assertThat(json.get("machines").get(0).get("alive").booleanValue()).isFalse();
    assertThat(json.get("recorders").get(0).get("holder").isNull()).isTrue();
    assertThat(json.get("recorders").get(0).get("backlog_rows").intValue()).isEqualTo(2);
  }

  /** Nothing is recorded from it; how much waits is all the more of interest. */
  @Test
  @MachineStopped
  void statusCountsWhatWaitsInATableWhosePayloadIsJsonNoMore() throws Exception {
    site.execute(
        "INSERT INTO handoff.orders (payload) VALUES ('1'), ('2')",
        "ALTER TABLE handoff.orders DROP CONSTRAINT only_captures_write_changes,"
            + " ALTER payload TYPE jsonb");

    JsonNode json = site.run("status", "-o", "json").json();

    assertThat(json.get("recorders").get(0).get("backlog_rows").intValue()).isEqualTo(2);
  }

  @Test
  @Reading
  void aMonitorIsToldInItsOwnCodesAlsoWhatItCannotKnow() throws Exception {
    site.run("status", "--check").exits(1).saysNothing().prints("RECORDER WARNING - ");
    site.run("status", "--check", "--no-such-option").exits(3);
    site.run("status", "--check", "--watch").exits(3);

    site.configure(site.textWithPort(1));
    site.run("status", "--check").exits(2).saysNothing().prints("RECORDER CRITICAL - ");
    Run away = site.run("status", "--check", "-o", "json").exits(2).saysNothing();
    assertThat(Run.names(away.json()))
        .isEqualTo("machines recorders standings notes schema_version");
    assertThat(away.json().get("recorders").isNull()).isTrue();
    assertThat(away.json().get("notes").get(0).get("kind").textValue()).isEqualTo("database");
    site.configure("[machine]\n");
    site.run("status", "--check").exits(3).saysNothing().prints("RECORDER UNKNOWN - ");
    JsonNode unknown = site.run("status", "--check", "-o", "json").exits(3).saysNothing().json();
    assertThat(unknown.get("notes").get(0).get("severity").textValue()).isEqualTo("unknown");
  }

  @Test
  @Reading
  void aTransactionThatHoldsRowVersionsBackIsNamedAsFarAsTheRoleMaySee() throws Exception {
    try (Connection other = site.database.connect();
        Statement statement = other.createStatement()) {
      other.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      other.setAutoCommit(false);
      statement.execute("SELECT 1");
      try (Inspection inspection = CommandResources.connect(ConfigFile.load(site.ini()))) {
        Facts facts = inspection.facts(Duration.ofSeconds(2), 10);

        assertThat(facts.horizon()).isPresent();
        assertThat(facts.horizon().orElseThrow().what()).contains("database session ");
        assertThat(Notes.of(facts, new Limits(LONG, LONG, Duration.ZERO, 2)))
            .anyMatch(note -> note.kind() == Note.NoteKind.XMIN_HELD);
        assertThat(Notes.of(facts, new Limits(LONG, LONG, LONG, 2)))
            .noneMatch(note -> note.kind() == Note.NoteKind.XMIN_HELD);
      }
    }
  }

  @Test
  @Reading
  void explainNamesARecorderThatIsNotThere() throws Exception {
    site.run("explain", "order").exits(2).says("did you mean 'orders'?");
    site.run("explain", "orders")
        .exits(0)
        .prints("host-a records orders\n", "its lock on the server: recorder/host-a/control");
    site.run("explain", "orders", "--host", "host-z").exits(0).prints("has never registered");
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "takeovers", "verify"})
  void anEmptyDatabaseIsToldAsSuch(String command) {
    site.run(command)
        .exits(75)
        .printsNothing()
        .saysFirst("recorder: no recorder has run yet")
        .inOneLine();
  }

  @Test
  void whereNobodyEverRanACheckKnowsNothing() throws Exception {
    site.database.execute(new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of()));

    site.run("status", "--check").exits(3).prints("RECORDER UNKNOWN - no recorder has run yet");
    site.run("status").exits(0).prints("\nno host has run here yet: start one\n");
    site.run("drain", "host-x")
        .exits(2)
        .saysOnly("recorder: no host 'host-x' has ever run here, nor has any other yet\n");
  }

  // ---- expire

  @Test
  void readersBeginAtARaisedFloorAndVerifyMissesNothingBelow() throws Exception {
    startAndRecord(250);

    site.run("expire", "orders", "--below", "3", "--yes").exits(0);
    site.store.delete(TestSite.BUCKET, TestSite.slotKey("orders", 1, "ndjson.gz"));
    site.store.delete(TestSite.BUCKET, TestSite.slotKey("orders", 2, "ndjson.gz"));

    Run verify = site.run("verify", "orders").exits(0);
    assertThat(verify.out()).doesNotContain("nothing to follow");
    site.database.execute("UPDATE recorder.lock_recorders SET floor_chain = NULL");
    site.run("verify", "orders").exits(0).prints("slot 3 has nothing to follow");
    site.database.execute("UPDATE recorder.lock_recorders SET floor_chain = repeat('0', 64)");
    site.run("verify", "orders").exits(1).prints("slot 3 does not follow slot 2");
    site.run("cat", "orders").exits(0);
    site.run("cat", "orders", "--from", "2").exits(2);
  }

  @Test
  @MachineStopped
  void theFloorIsNeitherLoweredNorRaisedBehindTheLastSettledSlot() throws Exception {
    site.run("expire", "orders", "--below", "3", "--yes");

    Run lower = site.run("expire", "orders", "--below", "2", "--yes");
    Run behind = site.run("expire", "orders", "--below", "100000", "--yes");
    Run looked = site.run("expire", "orders", "--below", "100000", "--dry-run");

    lower.prints("begins with slot 3");
    behind.exits(2).says("begins with slot 3", "last settled slot");
    looked.exits(2).saysOnly(behind.err());
  }

  @Test
  @MachineStopped
  void theFloorIsRaisedByWhoConfirmsItAndADryRunSaysWhatGoesOutOfSight() throws Exception {
    site.run("expire", "orders", "--below", "3")
        .exits(2)
        .says("cannot be undone", "--dry-run", "--yes");
    site.run("expire", "orders", "--below", "3", "--dry-run")
        .exits(0)
        .prints("slots 1 to 2 of the log of orders would go out of sight for good");
    site.run("cat", "orders", "--from", "1").exits(0);
    site.run("expire", "orders", "--below", "3", "--yes").exits(0);
    site.run("expire", "orders", "--below", "2", "--dry-run")
        .exits(0)
        .prints("nothing would go out of sight: the log of orders begins with slot 3");
  }

  // ---- takeovers

  @Test
  void takeoversShowsWhoTookOverFromWhom() throws Exception {
    site.runOnce();
    site.start();

    Run all = site.run("takeovers");
    Run one = site.run("takeovers", "orders", "--limit", "1");

    all.exits(0);
    assertThat(all.out().lines()).hasSize(5);
    all.printsLike(
        "AT +RECORDER +REASON +FROM -> TO +EPOCHS +SILENCE +GAP +SLOT",
        "start +- -> host-a +0 -> 1");
    one.printsLike("orders +released +host-a -> host-a +1 -> 2 ");
    assertThat(one.out().lines()).hasSize(2);
  }

  @Test
  @Reading
  void takeoversForPrograms() throws Exception {
    JsonNode json = site.run("takeovers", "orders", "-o", "json").json();

    assertThat(json).hasSize(1);
    assertThat(Run.names(json.get(0)))
        .isEqualTo(
            "at lock_id recorder reason from_machine to_machine from_epoch to_epoch silence_ms"
                + " gap_ms last_slot first_slot detail schema_version");
    assertThat(json.get(0).get("reason").textValue()).isEqualTo("start");
  }

  @ParameterizedTest
  @ValueSource(strings = {"takeovers", "verify", "cat"})
  @Reading
  void anUnknownRecorderIsAnsweredWithTheLikelyOne(String command) throws Exception {
    site.run(command, "order")
        .exits(2)
        .printsNothing()
        .saysOnly("recorder: no recorder 'order'; did you mean 'orders'?\n");
    site.run(command, "Völlig anders")
        .saysOnly("recorder: no recorder 'Völlig anders'; there are: orders, audit\n");
  }

  @Test
  void aLimitOutOfRangeIsAMistakeOfUse() {
    site.run("takeovers", "--limit", "0").exits(2);
    site.run("status", "-o", "yaml").exits(2);
  }

  // ---- verify

  @Test
  @Tag("smoke")
  void verifyProvesEveryRecorderWhileItRuns() throws Exception {
    startAndRecord(250);
    site.record("audit", 7);

    Run run = site.run("verify", "-o", "json").saysNothing().exits(0);

    List<JsonNode> verdicts = run.jsonLines();
    assertThat(verdicts).hasSize(2);
    assertThat(Run.names(verdicts.get(0)))
        .isEqualTo(
            "recorder slots rows lost duplicated gaps out_of_order hash_mismatches ok"
                + " schema_version");
    assertThat(verdicts.get(0).get("rows").intValue()).isEqualTo(250);
    assertThat(verdicts.get(0).get("ok").booleanValue()).isTrue();
    assertThat(verdicts.get(1).get("recorder").textValue()).isEqualTo("audit");
  }

  @Test
  @Reading
  void aHostThatVerifiesNothingByItselfCannotBeAskedTo() throws Exception {
    site.run("verify", "orders", "--by-host").exits(75);
    site.run("verify", "--by-host").exits(2);
  }

  @Test
  void whoIsActiveAndAliveIsAskedToVerifyAndNobodyElse() throws Exception {
    site.configure(site.text().replaceFirst("lockid = 1", "lockid = 1\nverify_every = 1m"));
    startAndRecord(250);
    await().until(() -> site.ask("SELECT count(ended_at) FROM recorder.verdicts").equals("1"));
    site.execute("UPDATE recorder.verdicts SET whole = false");

    site.run("verify", "--by-host")
        .exits(0)
        .saysNothing()
        .printsOnly("orders: asked for; 'recorder status' will have the verdict\n");
    site.run("verify", "orders", "--by-host", "-o", "json")
        .exits(0)
        .saysNothing()
        .printsOnly("{\"recorder\":\"orders\",\"asked\":true,\"schema_version\":1}\n");
    await()
        .until(
            () ->
                site.ask(
                        "SELECT ok AND whole AND NOT EXISTS (SELECT FROM recorder.operator_orders"
                            + " WHERE state <> 'done') FROM recorder.verdicts")
                    .equals("t"));

    site.stop();
    site.run("verify", "orders", "--by-host")
        .exits(75)
        .printsNothing()
        .inOneLine()
        .says("orders: no host would verify it, as no host is active for it; nothing was asked");
    // As of a host that was killed.
    site.execute("UPDATE recorder.lock_recorders SET holder = 'host-a' WHERE lock_id = 1");
    site.run("verify", "orders", "--by-host")
        .exits(75)
        .printsNothing()
        .says("as host host-a, which has it, is not alive; nothing was asked");
    assertThat(site.ask("SELECT count(*) FROM recorder.operator_orders WHERE state <> 'done'"))
        .isEqualTo("0");
  }

  @Test
  @Tag("smoke")
  void verifyFindsAMissingObject() throws Exception {
    startAndRecord(250);
    site.store.delete(TestSite.BUCKET, TestSite.slotKey("orders", 2, "ndjson.gz"));

    Run json = site.run("verify", "orders", "-o", "json");
    Run table = site.run("verify", "orders");
    Run behind = site.run("verify", "orders", "--from", "3");

    json.exits(1);
    assertThat(json.json().get("gaps").intValue()).isEqualTo(1);
    assertThat(json.json().get("lost").intValue()).isEqualTo(100);
    assertThat(json.json().get("ok").booleanValue()).isFalse();
    json.says("orders: slot 2 is missing");
    table.exits(1).prints("FAULTS", "orders: slot 2 is missing", "orders: and ");
    behind.exits(0).printsLike("RECORDER +SLOTS +ROWS .*\norders +1 +50 .* ok");
  }

  @Test
  @MachineStopped
  void verifyProvesTheOthersWhereOneLogCannotBeVerified() throws Exception {
    site.configure(site.text() + "prefix = elsewhere\n");

    Run run =
        site.run("verify", "audit", "orders", "-o", "json")
            .exits(78)
            .saysFirst("recorder: the log of recorder audit was created as ");

    assertThat(run.json().get("recorder").textValue()).isEqualTo("orders");
    assertThat(run.json().get("ok").booleanValue()).isTrue();
  }

  @Test
  void verifyHasTheWorstOfSeveralResults() throws Exception {
    startAndRecord(250);
    site.record("audit", 7);
    site.store.delete(TestSite.BUCKET, TestSite.slotKey("orders", 2, "ndjson.gz"));

    Run run = site.run("verify", "audit", "orders", "-o", "json").exits(1);

    assertThat(run.jsonLines())
        .extracting(v -> v.get("ok").booleanValue())
        .containsExactly(true, false);
  }

  @Test
  void verifyAgainstAStoreThatIsGoneProvesNothing() throws Exception {
    site.start();
    site.record("orders", 1);
    site.stop();
    site.stopStore();

    site.run("verify", "orders").exits(69).saysFirst("recorder: ").inOneLine();
  }

  // ---- cat

  @Test
  void catWritesEveryRowInOrder() throws Exception {
    startAndRecord(250);
    site.record("orders", 30);

    Run run = site.run("cat", "orders");
    Run tail = site.run("cat", "orders", "--from", "3");

    run.saysNothing().exits(0);
    List<JsonNode> rows = run.jsonLines();
    assertThat(rows).hasSize(280);
    assertThat(Run.names(rows.get(0))).isEqualTo("id xid time key payload");
    assertThat(rows)
        .extracting(row -> row.get("id").longValue())
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(tail.jsonLines()).hasSize(80);
    assertThat(run.out()).endsWith(tail.out());
  }

  @Test
  @Reading
  void catOfAnEmptyLogIsEmpty() throws Exception {
    site.run("cat", "audit").exits(0).printsNothing();
  }

  @Test
  void catStopsAtAMissingSlotInsteadOfSkippingIt() throws Exception {
    startAndRecord(250);
    site.store.delete(TestSite.BUCKET, TestSite.slotKey("orders", 2, "ndjson.gz"));

    Run run = site.run("cat", "orders").exits(1);

    assertThat(run.out().lines()).hasSize(100);
    run.says(TestSite.slotKey("orders", 2, "ndjson.gz"), "is missing", "recorder verify")
        .inOneLine();
  }

  @Test
  @MachineStopped
  void catRefusesToBeginBelowTheFloor() throws Exception {
    site.database.execute("UPDATE recorder.lock_recorders SET first_slot = 3 WHERE lock_id = 1");

    assertThat(site.run("cat", "orders").jsonLines()).hasSize(50);
    site.run("cat", "orders", "--from", "2").exits(2);
  }

  @Test
  @Reading
  void catEndsSilentlyWhenNobodyReadsAnyMore() throws Exception {
    OutputStream closedPipe = StandardOutputTest.failing("Broken pipe");

    Run.writingRowsTo(closedPipe, "cat", "orders", "-c", site.ini().toString())
        .exits(0)
        .saysNothing();
  }

  @Test
  @Reading
  void catSaysWhenRowsCannotBeWritten() throws Exception {
    OutputStream full = StandardOutputTest.failing("No space left on device");

    Run.writingRowsTo(full, "cat", "orders", "-c", site.ini().toString())
        .exits(1)
        .saysOnly("recorder: cannot write the rows: No space left on device\n");
  }

  // ---- what is not there

  @ParameterizedTest
  @ValueSource(strings = {"status", "takeovers", "verify", "cat orders"})
  void anUnreachableDatabaseIsToldWithoutATrace(String command) throws Exception {
    site.configure(site.textWithPort(1));

    site.run(command.split(" "))
        .exits(69)
        .printsNothing()
        .saysFirst("recorder: cannot connect to ")
        .inOneLine();
  }

  @Test
  void aWrongPasswordIsAMatterOfRights() throws Exception {
    site.configure(site.text().replace("recorder-password", "wrong-one"));

    site.run("status").exits(77).says("password authentication failed").doesNotSay("wrong-one");
  }

  @Test
  @Reading
  void aLogThatLiesElsewhereIsAMatterOfConfiguration() throws Exception {
    site.configure(site.text().replace("prefix = prod", "prefix = staging"));

    site.run("verify", "orders").exits(78).says("prod", "staging").inOneLine();
  }

  private void startAndRecord(int rows) throws Exception {
    site.start();
    site.record("orders", rows);
  }
}
