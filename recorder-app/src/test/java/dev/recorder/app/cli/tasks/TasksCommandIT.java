package dev.recorder.app.cli.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.recorder.app.cli.Run;
import dev.recorder.app.cli.TestSite;
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
    return site.run(Run.words("tasks", args));
  }

  private static JsonNode captured(String... options) throws Exception {
    return tasks(Run.words("capture -o json", options)).exits(0).json();
  }

  @Test
  void aTaskGoesFromHandToHandAsAScriptWouldPassIt() throws Exception {
    assertThat(tasks("add", "b", "a", "b")).isEqualTo(new Run(0, "2 tasks are new\n", ""));
    assertThat(tasks("add", "a", "c").out())
        .isEqualTo("1 task is new\n1 was there already, and not changed\n");

    JsonNode two = captured("--limit", "2");
    assertThat(two.findValuesAsText("id")).containsExactly("b", "a");
    assertThat(two.get(0).get("was").asText()).isEqualTo("new");
    assertThat(two.get(0).get("queue_id").asText()).isEqualTo("default");
    assertThat(two.get(0).get("retries_left").isNull()).isTrue();

    assertThat(set(two.get(0), "done")).isEqualTo(new Run(0, "task b is done\n", ""));
    set(two.get(1), "failed").exits(0);
    assertThat(captured("--limit", "9").findValuesAsText("id")).containsExactly("c", "a");
    assertThat(captured("--from", "done,timed_out").findValuesAsText("id")).containsExactly("b");

    assertThat(tasks("capture", "-o", "json")).isEqualTo(new Run(75, "[]\n", ""));
    tasks("capture").exits(75);
  }

  private static Run set(JsonNode task, String status) {
    String id = task.get("id").asText();
    String owner = task.get("owner").asText();
    return tasks("set", id, status, "--owner", owner, "--token", task.get("token").asText());
  }

  @Test
  void whoseTimeIsOverIsToldThatSomebodyElseMayHaveTheTask() throws Exception {
    tasks("add", "x");
    JsonNode late = captured("--timeout", "50ms").get(0);
    Thread.sleep(100);

    JsonNode next = captured("--from", "timed_out").get(0);
    assertThat(next.get("was").asText()).isEqualTo("timed_out");
    assertThat(next.get("token").asLong()).isGreaterThan(late.get("token").asLong());

    set(late, "done").exits(75).saysFirst("recorder: task x: taken over: ").inOneLine();
    set(next, "done").exits(0);
  }

  @Test
  void anOperatorSetsWhatAnybodyHas() throws Exception {
    tasks("add", "x", "--retries", "1");
    JsonNode task = captured().get(0);
    assertThat(task.get("retries_left").asInt()).isZero();

    tasks("set", "x", "failed", "--force").exits(0);
    set(task, "done").exits(75);
    assertThat(tasks("capture").exitCode()).as("no retries left").isEqualTo(75);
    tasks("set", "x", "new", "--force", "--retries", "2").exits(0);
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
    Run run = site.run(line.split(" ")).exits(2).printsNothing();

    assertThat(run.err()).isNotEmpty();
  }

  @Test
  void anIdThatCannotBeUsedIsAMistakeOfUse() {
    tasks("add", "fine", "x".repeat(201))
        .exits(2)
        .says("201 bytes, where 200 are the most")
        .inOneLine();
    assertThat(tasks("list", "-o", "json").out()).isEqualTo("[]\n");
  }

  @Test
  void aStrangersTokenSetsNothing() throws Exception {
    tasks("add", "x");
    captured();
    tasks("set", "x", "done", "--owner", "me", "--token", "1").exits(75);
    assertThat(site.ask("SELECT status FROM recorder.lock_task")).isEqualTo("in_progress");
  }

  @Test
  void troubleWithTheDatabaseHasItsExitCode() throws Exception {
    site.configure(site.textWithPort(1));
    tasks("list").exits(69).saysFirst("recorder: tasks of queue default: cannot connect to ");

    site.configure(site.text());
    site.database.execute("REVOKE ALL ON recorder.lock_task FROM recorder");
    Run forbidden = tasks("list");
    site.database.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON recorder.lock_task TO recorder");
    forbidden.exits(77).says("permission denied for table lock_task").inOneLine();

    site.configure(site.text().replace("[s3]", "schema = elsewhere\n[s3]"));
    tasks("add", "x")
        .exits(78)
        .says("the tables of locks are missing in schema elsewhere", "recorder schema");
  }
}
