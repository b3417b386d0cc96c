package dev.recorder.lock.postgres.tasks;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.Leases;
import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.RowSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.testing.network.TcpProxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tasks that are captured, settled and timed out, on a real server. */
@ResourceLock(RowSite.SHARED)
class TaskQueueIT {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  @RegisterExtension private static final RowSite site = RowSite.shared();

  private static TaskQueue queue(String worker) {
    return queue(worker, MINUTE);
  }

  private static TaskQueue queue(String worker, Duration timeout) {
    return site.opened(new TaskQueue(site.sessions(worker), "default", timeout, Instruments.PLAIN));
  }

  /** The only task of a queue, in its owner's hands. */
  private static Task captured(TaskQueue queue) {
    queue.add(List.of("x"));
    return queue.capture(1).get(0);
  }

  private static List<String> ids(List<Task> tasks) {
    return tasks.stream().map(Task::id).toList();
  }

  private static String row(String id, String columns) throws Exception {
    return String.valueOf(
        site.text("SELECT " + columns + " FROM recorder.lock_task WHERE id = '" + id + "'"));
  }

  /** As if its owner's time had been over by {@code age}. */
  private static void overdue(String id) throws Exception {
    site.execute(
        "UPDATE recorder.lock_task SET deadline = clock_timestamp() - interval '1 ms'"
            + " WHERE status = 'in_progress' AND id = '"
            + id
            + "'");
  }

  @Test
  @Tag("smoke")
  void tasksAreCapturedInTheOrderInWhichTheyWereAdded() {
    TaskQueue queue = queue("a");
    assertThat(queue.add(List.of("z", "b", "a"))).isEqualTo(3);
    assertThat(queue.add(List.of("b", "0"))).isEqualTo(1);
    assertThat(ids(queue.capture(2))).containsExactly("z", "b");
    assertThat(ids(queue.capture(100))).containsExactly("a", "0");
    assertThat(queue.capture(1)).isEmpty();
  }

  @Test
  void whatFailsAgainAndAgainGoesBehindWhatWaits() {
    TaskQueue queue = queue("a");
    queue.add(List.of("bad", "good", "better"));
    queue.setStatus(queue.capture(1).get(0), TaskStatus.FAILED);
    assertThat(ids(queue.capture(1))).containsExactly("good");
    assertThat(ids(queue.capture(2))).containsExactly("better", "bad");
  }

  @Test
  void aTaskHasOneOwnerUntilItIsSet() throws Exception {
    TaskQueue queue = queue("a");
    Task task = captured(queue);
    assertThat(task.was()).isEqualTo(TaskStatus.NEW);
    assertThat(queue("b").capture(5, EnumSet.complementOf(EnumSet.of(TaskStatus.IN_PROGRESS))))
        .isEmpty();
    queue.setStatus(task, TaskStatus.DONE);
    assertThat(row("x", "status || coalesce(deadline::text, '')")).isEqualTo("done");
    assertThat(queue.capture(5)).isEmpty();
    Task again = queue.capture(5, Set.of(TaskStatus.DONE)).get(0);
    assertThat(again.was()).isEqualTo(TaskStatus.DONE);
    assertThat(again.token()).isGreaterThan(task.token());
  }

  @Test
  void eachStatusThatIsAllowedIsCapturedAndNoOther() throws Exception {
    TaskQueue queue = queue("a");
    for (TaskStatus status : TaskStatus.values()) {
      queue.add(List.of(status.word()));
      if (status != TaskStatus.IN_PROGRESS) {
        queue.force(status.word(), status, OptionalInt.empty());
      }
    }
    queue.capture(1, Set.of(TaskStatus.NEW)); // "new", which was added first
    queue.force("new", TaskStatus.NEW, OptionalInt.empty());
    site.execute("UPDATE recorder.lock_task SET set_at = 'yesterday' WHERE id = 'in_progress'");
    assertThat(ids(queue.capture(1))).containsExactly("in_progress");
    assertThat(ids(queue.capture(9, Set.of(TaskStatus.TIMED_OUT)))).containsExactly("timed_out");
    assertThat(ids(queue.capture(9, Set.of(TaskStatus.DONE, TaskStatus.FAILED))))
        .containsExactly("done", "failed");
    assertThat(ids(queue.capture(9))).containsExactly("new");
    assertThatThrownBy(() -> queue.capture(1, Set.of(TaskStatus.IN_PROGRESS)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queue.capture(1, Set.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queue.capture(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void capturedInParallelEachTaskIsHandedOutOnce() throws Exception {
    List<String> all = IntStream.range(0, 2_000).mapToObj(i -> "task" + i).toList();
    queue("adder").add(all);
    List<Callable<List<String>>> workers = new ArrayList<>();
    for (int w = 0; w < 8; w++) {
      TaskQueue queue = queue("worker" + w);
      int limit = 1 + w * 3;
      workers.add(
          () -> {
            List<String> mine = new ArrayList<>();
            List<Task> some = queue.capture(limit);
            while (!some.isEmpty()) {
              mine.addAll(ids(some));
              for (Task task : some) {
                queue.setStatus(task, TaskStatus.DONE);
              }
              some = queue.capture(limit);
            }
            return mine;
          });
    }
    List<String> handedOut = Leases.atOnce(workers).stream().flatMap(List::stream).toList();
    assertThat(handedOut).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  @Tag("smoke")
  void aTaskThatSomebodyLocksIsPassedOver() throws Exception {
    TaskQueue queue = queue("a");
    queue.add(List.of("first", "second"));
    try (Connection other = site.database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT FROM recorder.lock_task WHERE id = 'first' FOR UPDATE");
      assertThat(ids(queue.capture(1))).containsExactly("second");
      other.rollback();
    }
    assertThat(ids(queue.capture(1))).containsExactly("first");
  }

  @Test
  void onlyTheOwnerOfThisCaptureSetsTheStatus() throws Exception {
    TaskQueue queue = queue("a");
    Task task = captured(queue);
    Task otherOwner = new Task("default", "x", "somebody", task.token(), TaskStatus.NEW, null);
    Task otherToken =
        new Task("default", "x", task.owner(), task.token() + 1, TaskStatus.NEW, null);
    for (Task stranger : List.of(otherOwner, otherToken)) {
      assertThatThrownBy(() -> queue.setStatus(stranger, TaskStatus.DONE))
          .isInstanceOf(LeaseLostException.class);
      assertThatThrownBy(() -> queue.extend(stranger)).isInstanceOf(LeaseLostException.class);
    }
    assertThat(row("x", "status")).isEqualTo("in_progress");
    queue.setStatus(task, TaskStatus.FAILED);
    assertThatThrownBy(() -> queue.setStatus(task, TaskStatus.DONE))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> queue.setStatus(task, TaskStatus.TIMED_OUT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTaskWhoseOwnerDiedTimesOutByTheServersClockAndIsCapturedByWhoWantsThose() throws Exception {
    TaskQueue dead = queue("dead", Duration.ofMillis(300));
    dead.add(List.of("x", "y"));
    Task task = dead.capture(1).get(0);
    dead.close();
    TaskQueue queue = queue("b");
    await().until(() -> queue.expire() == 1);
    assertThat(row("x", "status || (set_at >= captured_at + interval '300 ms')"))
        .isEqualTo("timed_outtrue");
    assertThat(ids(queue.capture(9))).containsExactly("y");
    assertThatThrownBy(() -> queue.setStatus(task, TaskStatus.DONE))
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("lease expired: the task timed out");
    Task next = queue.capture(9, Set.of(TaskStatus.TIMED_OUT)).get(0);
    assertThat(next.token()).isGreaterThan(task.token());
    assertThatThrownBy(() -> queue.setStatus(task, TaskStatus.DONE))
        .hasMessageContaining("taken over");
    assertThat(row("x", "status")).isEqualTo("in_progress");
  }

  @Test
  void anOwnerWhoIsLateButNotYetTimedOutStillSettles() throws Exception {
    TaskQueue queue = queue("a");
    Task task = captured(queue);
    overdue("x");
    queue.setStatus(task, TaskStatus.DONE);
    assertThat(queue.expire()).isZero();
  }

  @Test
  void whoExtendsATaskKeepsIt() throws Exception {
    TaskQueue queue = queue("a");
    Task task = captured(queue);
    overdue("x");
    queue.extend(task);
    assertThat(queue.expire()).isZero();
    overdue("x");
    assertThat(queue.expire()).isEqualTo(1);
    assertThatThrownBy(() -> queue.extend(task))
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("timed out");
  }

  @Test
  void theWorkerTimesTasksOutInTheBackgroundUntilItIsClosed() throws Exception {
    TaskQueue queue = queue("a", Duration.ofMillis(200));
    queue.add(List.of("x", "y"));
    queue.capture(1);
    TaskTimeouts timeouts = TaskTimeouts.start(queue("timeouts"), Duration.ofMillis(50));
    await().until(() -> row("x", "status").equals("timed_out"));
    timeouts.close();
    await().until(() -> threads("task-timeouts") == 0);
    queue.capture(1);
    Thread.sleep(600);
    assertThat(row("y", "status")).isEqualTo("in_progress");
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .count();
  }

  @Test
  void moreThanOneStatementsTasksTimeOutInStatementsOfBoundedSize() throws Exception {
    site.execute(
        "INSERT INTO recorder.lock_task (id, status, deadline) SELECT i, 'in_progress',"
            + " clock_timestamp() - interval '1 s' FROM generate_series(1, 2500) i");
    TaskQueue queue = queue("a");
    assertThat(List.of(queue.expire(), queue.expire(), queue.expire(), queue.expire()))
        .containsExactly(1_000, 1_000, 500, 0);
  }

  @Test
  void retriesAreCountedDownAndAtZeroATaskIsLeftAlone() {
    TaskQueue queue = queue("a");
    queue.add(List.of("x"), OptionalInt.of(2));
    for (int left = 1; left >= 0; left--) {
      Task task = queue.capture(1).get(0);
      assertThat(task.retriesLeft()).isEqualTo(left);
      queue.setStatus(task, TaskStatus.FAILED);
    }
    assertThat(queue.capture(1)).isEmpty();
    assertThat(queue.force("x", TaskStatus.NEW, OptionalInt.of(1))).isTrue();
    assertThat(queue.capture(1)).hasSize(1);
    assertThat(queue.add(List.of("never"), OptionalInt.of(0))).isEqualTo(1);
    assertThat(queue.capture(1)).isEmpty();
  }

  @Test
  void aQueueSeesItsOwnTasksOnly() {
    TaskQueue queue = queue("a");
    TaskQueue other =
        site.opened(new TaskQueue(site.sessions("b"), "other", MINUTE, Instruments.PLAIN));
    queue.add(List.of("x"));
    other.add(List.of("x", "y"));
    assertThat(other.capture(9)).hasSize(2);
    assertThat(queue.list(null, 10)).hasSize(1);
    assertThat(queue.capture(9)).hasSize(1);
    assertThat(other.force("z", TaskStatus.DONE, OptionalInt.empty())).isFalse();
    assertThatThrownBy(
            () -> new TaskQueue(site.sessions("c"), "q".repeat(201), MINUTE, Instruments.PLAIN))
        .isInstanceOf(LockException.class);
  }

  @Test
  void whoseTaskWasSetByForceIsToldSo() {
    TaskQueue queue = queue("a");
    Task task = captured(queue);
    assertThat(queue("operator").force("x", TaskStatus.DONE, OptionalInt.empty())).isTrue();
    assertThatThrownBy(() -> queue.setStatus(task, TaskStatus.DONE))
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("revoked");
  }

  @Test
  void idsMayBeAnyTextAndAreGivenBackAsTheyWere() {
    TaskQueue queue = queue("a");
    List<String> odd = List.of("it's", "a\"b\\c", "{x,y}", "日本 🙂", " ", "NULL", "a\nb", ",");
    queue.add(odd);
    assertThat(ids(queue.capture(100))).containsExactlyElementsOf(odd);
    assertThatThrownBy(() -> queue.add(List.of("fine", "x".repeat(201))))
        .isInstanceOf(LockException.class)
        .hasMessageContaining("too long");
    assertThat(queue.list(null, 100)).hasSize(odd.size());
  }

  @Test
  void manyTasksAreAddedAndListedInParts() {
    TaskQueue queue = queue("a");
    List<String> many = IntStream.range(0, 2_345).mapToObj(i -> "%05d".formatted(i)).toList();
    assertThat(queue.add(many)).isEqualTo(2_345);
    assertThat(queue.list(TaskStatus.NEW, 1_000)).hasSize(1_000);
    assertThat(queue.list(TaskStatus.DONE, 10)).isEmpty();
    assertThat(ids(queue.capture(1_000))).isEqualTo(many.subList(0, 1_000));
  }

  @Test
  void whatIsSettledForLongCanBeForgotten() throws Exception {
    TaskQueue queue = queue("a");
    queue.add(List.of("old", "young", "open"));
    queue.force("old", TaskStatus.DONE, OptionalInt.empty());
    queue.force("young", TaskStatus.DONE, OptionalInt.empty());
    site.execute(
        "UPDATE recorder.lock_task SET set_at = set_at - interval '1 day' WHERE id <> 'young'");
    assertThat(queue.forget(Set.of(TaskStatus.DONE), Duration.ofHours(1))).isEqualTo(1);
    assertThat(queue.list(null, 10)).extracting(TaskRow::id).containsExactly("open", "young");
  }

  @Test
  void tasksWhoseCaptureWasLostOnItsWayAreGivenBack() throws Exception {
    TaskQueue queue = queue("a");
    queue.add(List.of("x", "y", "z"), OptionalInt.of(5));
    try (TcpProxy proxy = site.proxy()) {
      TaskQueue cut =
          site.opened(new TaskQueue(site.cut(proxy), "default", MINUTE, RowSite.TRUSTING));
      Task kept = cut.capture(1).get(0);
      proxy.pauseToClient();
      assertThatThrownBy(() -> cut.capture(2)).isInstanceOf(LockException.class);
      assertThat(row("y", "status || retries_left")).isEqualTo("in_progress4");
      proxy.resume();
      assertThat(cut.expire()).isZero();
      assertThat(row("y", "status || retries_left")).isEqualTo("new5");
      assertThat(row("z", "status || retries_left")).isEqualTo("new5");
      cut.setStatus(kept, TaskStatus.DONE);
    }
  }

  @Test
  void captureReadsByIndexAmongAHundredThousandTasks() throws Exception {
    site.execute(
        "INSERT INTO recorder.lock_task (id, status, set_at) SELECT i,"
            + " CASE WHEN i <= 90000 THEN 'done' WHEN i % 2 = 0 THEN 'failed' ELSE 'new' END,"
            + " clock_timestamp() + i * interval '1 ms' FROM generate_series(1, 100000) i");
    for (boolean analyzed : new boolean[] {false, true}) {
      if (analyzed) {
        site.execute("ANALYZE recorder.lock_task");
      }
      for (Set<TaskStatus> from :
          List.of(
              Set.of(TaskStatus.NEW),
              TaskQueue.USUAL,
              EnumSet.complementOf(EnumSet.of(TaskStatus.IN_PROGRESS)))) {
        String plan = plan(from);
        assertThat(plan).contains("lock_task_waiting", "$1").doesNotContain("Seq Scan");
        assertThat(pagesTouched(plan)).as(plan).isLessThan(500);
      }
    }
  }

  /** Of table and indexes, which have some two thousand. */
  private static long pagesTouched(String plan) {
    Matcher buffers =
        Pattern.compile("Buffers: shared hit=([0-9]+)(?: read=([0-9]+))?").matcher(plan);
    assertThat(buffers.find()).as(plan).isTrue();
    String read = buffers.group(2);
    return Long.parseLong(buffers.group(1)) + (read == null ? 0 : Long.parseLong(read));
  }

  /** The plan that a session keeps for all parameters. */
  private static String plan(Set<TaskStatus> from) throws Exception {
    String sql =
        TaskStatements.capture("default", from, 10, "owner", Duration.ofSeconds(1))
            .in(SchemaNames.DEFAULT)
            .text();
    for (int p = 1; sql.contains("?"); p++) {
      sql = sql.replaceFirst("\\?", "\\$" + p);
    }
    String parameters = "'default', ".repeat(from.size()) + "10, 'owner', 1000";
    try (Connection connection = site.sessions("planner").openLockRows();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("PREPARE capture AS " + sql);
      StringBuilder plan = new StringBuilder();
      try (ResultSet row =
          statement.executeQuery(
              "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE capture ("
                  + parameters
                  + ")")) {
        while (row.next()) {
          plan.append(row.getString(1)).append('\n');
        }
      }
      connection.rollback();
      return plan.toString();
    }
  }
}
