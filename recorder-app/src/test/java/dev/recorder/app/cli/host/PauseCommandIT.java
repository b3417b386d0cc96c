package dev.recorder.app.cli.host;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.OwnSite;
import dev.recorder.app.cli.Run;
import org.junit.jupiter.api.Test;

/** {@code pause} and {@code resume} beside a machine, and what the others say of it. */
class PauseCommandIT extends OwnSite {
  private static final String WHO =
      "paused by \\S+ \\(database user \\S+, from 127\\.0\\.0\\.1\\) until \\S+Z:"
          + " the bucket moves";

  @Test
  void everybodyIsToldAndNothingIsLostAndItGoesOn() throws Exception {
    site.start();
    site.record("orders", 10);
    pause("orders", "2h").saysNothing().exits(0).printsLike("recorder orders is " + WHO);
    site.execute("INSERT INTO handoff.orders (payload) SELECT '1' FROM generate_series(1, 7)");

    Run status = site.run("status").exits(0);
    status.printsLike("orders +host-a +primary +paused ", "WARNING orders: " + WHO);
    status.printsLike("audit +host-a +primary +active ");
    status.printsLike("orders +host-a +primary +paused +\\d{4}-\\S+ \\S+Z ");
    site.run("status", "--check").exits(1).printsLike("orders: " + WHO);
    site.run("explain", "orders")
        .exits(0)
        .printsLike("^host-a holds orders and does not record it: it is " + WHO)
        .prints("-> it continues now: recorder resume orders\n");
    assertThat(orders().get("backlog_rows").intValue()).isEqualTo(7);
    assertThat(Run.names(orders().get("paused")))
        .isEqualTo("until reason os_user db_user db_client");
    site.record("audit", 5);

    site.run("resume", "orders")
        .exits(0)
        .prints("two seconds on host-a\n")
        .printsLike("was " + WHO);
    await().until(() -> orders().get("backlog_rows").intValue() == 0);
    site.run("verify", "orders").exits(0);
  }

  @Test
  void requestsArePausedAndGoOnAsLogsAre() throws Exception {
    site.configure(site.text() + "[recorder:jobs]\nlockid = 3\nkind = requests\n");
    site.start();
    await().until(() -> pause("jobs", "2h").exitCode() == 0);
    awaitNote("jobs", "paused");
    site.run("requests", "add", "jobs", "a/1", "--payload", "{}").exits(0);
    // Until its store has been tested it is not able, which is told before a pause.
    await().untilAsserted(() -> site.run("status").printsLike("jobs +host-a +worker +paused "));
    site.run("explain", "jobs").printsLike("^host-a processes no requests of jobs: it is " + WHO);

    site.run("resume", "jobs").exits(0);
    await()
        .until(
            () ->
                site.ask("SELECT request_status FROM handoff.jobs WHERE id = 1")
                    .equals("complete"));
  }

  @Test
  @MachineStopped
  void aShorterPauseIsRefusedAndALongerOneSaysWhatItTakesThePlaceOf() throws Exception {
    pause("orders", "2h").exits(0).prints("no host that has it is alive; it stays paused");

    pause("orders", "5m")
        .exits(75)
        .printsNothing()
        .saysFirst("recorder: recorder orders is paused by ")
        .says("; a pause is made longer, never shorter: 'recorder resume orders' ends it")
        .inOneLine();
    pause("orders", "3h").exits(0).printsLike("\nit was " + WHO + " before\n");
    JsonNode json = pause("orders", "4h", "-o", "json").exits(0).json();
    assertThat(Run.names(json)).isEqualTo("recorder changed paused before schema_version");
    assertThat(json.get("before").get("reason").textValue()).isEqualTo("the bucket moves");
    site.run("resume", "orders")
        .exits(0)
        .prints("no host that has it is alive: it continues when one starts")
        .doesNotPrint("two seconds");
  }

  @Test
  @MachineStopped
  void whatIsNotPausedIsResumedToNoEffect() throws Exception {
    site.run("resume", "orders").exits(0).printsOnly("recorder orders is not paused\n");
    JsonNode json = site.run("resume", "orders", "-o", "json").exits(0).json();
    assertThat(json.get("changed").booleanValue()).isFalse();
    assertThat(site.ask("SELECT count(*) FROM recorder.pauses")).isEqualTo("0");
  }

  @Test
  void whatCannotBePausedIsRefusedInASentence() throws Exception {
    pause("orders", "2h").exits(75).says("no recorder has run yet");
    site.runOnce();
    pause("order", "2h").exits(2).says("no recorder 'order'; did you mean 'orders'?").inOneLine();
    site.run("pause", "orders", "--for", "8d", "--reason", "why").exits(2).says("--for must be");
    site.run("pause", "orders", "--for", "1h", "--reason", "a\nb").exits(2).says("--reason: ");
    site.run("pause", "orders", "--for", "1h").exits(2).says("--reason");
    site.run("pause", "orders", "--reason", "why").exits(2).says("--for");
    site.execute("DELETE FROM recorder.lock_recorders WHERE recorder = 'audit'");
    pause("audit", "2h").exits(75).says("no host has run recorder 'audit' yet").inOneLine();
    site.database.execute("UPDATE recorder.schema_info SET version = 7");
    pause("orders", "2h").exits(78).says("has version 7, this program runs on 1: ").inOneLine();
  }

  @Test
  void withoutTheDatabaseItSaysSo() throws Exception {
    site.configure(site.textWithPort(1));

    pause("orders", "2h").exits(69).printsNothing();
    site.run("resume", "orders").exits(69).printsNothing();
  }

  private JsonNode orders() {
    return site.run("status", "-o", "json").json().get("recorders").get(0);
  }

  private Run pause(String recorder, String time, String... more) {
    String line = "pause " + recorder + " --for " + time + " " + String.join(" ", more);
    return site.run(Run.words(line, "--reason", "the bucket moves"));
  }

  private void awaitNote(String recorder, String kind) {
    await()
        .until(
            () -> {
              for (JsonNode note : site.run("status", "-o", "json").json().get("notes")) {
                if (recorder.equals(note.get("recorder").textValue())
                    && kind.equals(note.get("kind").textValue())) {
                  return true;
                }
              }
              return false;
            });
  }
}
