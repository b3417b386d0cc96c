package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands about tasks, with the tables that a machine has made and the rights of its role. */
class TasksCommandIT {
  @TempDir private static Path folder;
  private static TestSite site;

  @BeforeAll
  static void anAdministratorHasRunTheScript() throws Exception {
    site = TestSite.withoutRights(folder);
    site.database.execute(site.run("schema").out());
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
  }

  @AfterEach
  void forget() throws Exception {
    site.configure(site.text());
    site.database.execute("TRUNCATE recorder.lock_task");
  }

  private static Run tasks(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "tasks";
    System.arraycopy(args, 0, all, 1, args.length);
    return site.run(all);
  }

  private static JsonNode captured(String... options) throws Exception {
    String[] all = new String[options.length + 3];
    all[0] = "capture";
    all[1] = "-o";
    all[2] = "json";
    System.arraycopy(options, 0, all, 3, options.length);
    Run run = tasks(all);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.json();
  }

  @Test
  void aTaskGoesFromHandToHandAsAScriptWouldPassIt() throws Exception {
    assertThat(tasks("add", "b", "a", "b")).isEqualTo(new Run(0, "2 tasks are new\n", ""));
    assertThat(tasks("add", "a", "c").out())
        .isEqualTo("1 tasks are new\n1 were there already, and stay as they are\n");

    JsonNode two = captured("--limit", "2");
    assertThat(two.findValuesAsText("id")).containsExactly("b", "a");
    assertThat(two.get(0).get("was").asText()).isEqualTo("new");
    assertThat(two.get(0).get("queue_id").asText()).isEqualTo("default");
    assertThat(two.get(0).get("retries_left").isNull()).isTrue();

    Run done = set(two.get(0), "done");
    assertThat(done).isEqualTo(new Run(0, "task b is done\n", ""));
    assertThat(set(two.get(1), "failed").exitCode()).isZero();
    assertThat(captured("--limit", "9").findValuesAsText("id")).containsExactly("c", "a");
    assertThat(captured("--from", "done,timed_out").findValuesAsText("id")).containsExactly("b");

    Run none = tasks("capture", "-o", "json");
    assertThat(none).isEqualTo(new Run(75, "[]\n", ""));
    assertThat(tasks("capture").exitCode()).isEqualTo(75);
  }

  private static Run set(JsonNode task, String status) {
    return tasks(
        "set",
        task.get("id").asText(),
        status,
        "--owner",
        task.get("owner").asText(),
        "--token",
        task.get("token").asText());
  }

  @Test
  void whoseTimeIsOverIsToldThatSomebodyElseMayHaveTheTask() throws Exception {
    tasks("add", "x");
    JsonNode late = captured("--timeout", "50ms").get(0);
    Thread.sleep(100);

    JsonNode next = captured("--from", "timed_out").get(0);
    assertThat(next.get("was").asText()).isEqualTo("timed_out");
    assertThat(next.get("token").asLong()).isGreaterThan(late.get("token").asLong());

    Run run = set(late, "done");
    assertThat(run.exitCode()).isEqualTo(75);
    assertThat(run.err()).startsWith("recorder: lock x: taken over: ").hasLineCount(1);
    assertThat(set(next, "done").exitCode()).isZero();
  }

  @Test
  void anOperatorSetsWhatAnybodyHas() throws Exception {
    tasks("add", "x", "--retries", "1");
    JsonNode task = captured().get(0);
    assertThat(task.get("retries_left").asInt()).isZero();

    assertThat(tasks("set", "x", "failed", "--force").exitCode()).isZero();
    assertThat(set(task, "done").exitCode()).isEqualTo(75);
    assertThat(tasks("capture").exitCode()).as("no retries left").isEqualTo(75);
    assertThat(tasks("set", "x", "new", "--force", "--retries", "2").exitCode()).isZero();
    assertThat(captured().get(0).get("retries_left").asInt()).isEqualTo(1);

    Run unknown = tasks("set", "y", "done", "--force");
    assertThat(unknown).isEqualTo(new Run(2, "", "recorder: queue default has no task 'y'\n"));
  }

  @Test
  void tasksAreListedByQueueAndStatus() throws Exception {
    tasks("add", "b", "a", "--queue", "mails");
    tasks("add", "x");
    captured("--queue", "mails");

    JsonNode all = tasks("list", "--queue", "mails", "-o", "json").json();
    assertThat(all.findValuesAsText("id")).containsExactly("a", "b");
    assertThat(all.findValuesAsText("status")).containsExactly("new", "in_progress");
    assertThat(all.get(0).get("deadline").isNull()).isTrue();
    assertThat(all.get(1).get("deadline").asText()).endsWith("Z");
    assertThat(all.get(1).get("owner").asText()).startsWith("host-a/");
    assertThat(
            tasks("list", "--queue", "mails", "--status", "new", "-o", "json")
                .json()
                .findValuesAsText("id"))
        .containsExactly("a");
    assertThat(tasks("list", "--queue", "mails", "--limit", "1", "-o", "json").json()).hasSize(1);
    assertThat(tasks("list").out()).contains("ID", "STATUS", "x", "new").doesNotContain("mails");
    assertThat(tasks("list", "--queue", "none", "-o", "json").out()).isEqualTo("[]\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tasks",
        "tasks add",
        "tasks add x --retries -1",
        "tasks add x --queue=",
        "tasks capture --limit 0",
        "tasks capture --limit 1001",
        "tasks capture --from in_progress",
        "tasks capture --from nonsense",
        "tasks capture --timeout 5",
        "tasks capture --timeout 0s",
        "tasks capture --timeout 99999d",
        "tasks list --status nonsense",
        "tasks list --limit 0",
        "tasks set x",
        "tasks set x done",
        "tasks set x done --owner a",
        "tasks set x done --token 1",
        "tasks set x done --owner a --token 1 --force",
        "tasks set x done --owner a --token 1 --retries 1",
        "tasks set x in_progress --force",
        "tasks set x timed_out --owner a --token 1",
        "tasks set x nonsense --force"
      })
  void mistakesOfUseAreToldAsSuch(String line) throws Exception {
    Run run = site.run(line.split(" "));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isNotEmpty();
  }

  @Test
  void anIdThatCannotBeUsedIsAMistakeOfUse() {
    Run run = tasks("add", "fine", "x".repeat(201));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("201 bytes, where 200 are the most").hasLineCount(1);
    assertThat(tasks("list", "-o", "json").out()).isEqualTo("[]\n");
  }

  @Test
  void aStrangersTokenSetsNothing() throws Exception {
    tasks("add", "x");
    captured();
    Run run = tasks("set", "x", "done", "--owner", "me", "--token", "1");
    assertThat(run.exitCode()).isEqualTo(75);
    assertThat(site.ask("SELECT status FROM recorder.lock_task")).isEqualTo("in_progress");
  }

  @Test
  void troubleWithTheDatabaseHasItsExitCode() throws Exception {
    site.configure(site.text().replaceFirst("port = [0-9]+", "port = 1"));
    assertThat(tasks("list").exitCode()).isEqualTo(69);

    site.configure(site.text());
    site.database.execute("REVOKE ALL ON recorder.lock_task FROM recorder");
    Run forbidden = tasks("list");
    site.database.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON recorder.lock_task TO recorder");
    assertThat(forbidden.exitCode()).isEqualTo(77);
    assertThat(forbidden.err()).contains("permission denied for table lock_task").hasLineCount(1);

    site.configure(site.text().replace("[s3]", "schema = elsewhere\n[s3]"));
    Run missing = tasks("add", "x");
    assertThat(missing.exitCode()).isEqualTo(78);
    assertThat(missing.err())
        .contains("the tables of locks are missing in schema elsewhere", "recorder schema");
  }
}
