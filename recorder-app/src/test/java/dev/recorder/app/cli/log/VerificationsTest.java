package dev.recorder.app.cli.log;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.audit.AuditResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class VerificationsTest {
  @Test
  void severalLogsAreVerifiedAtOnce() throws Exception {
    CountDownLatch under = new CountDownLatch(2);
    try (Verifications running = new Verifications(null)) {
      Verifications.RunningAudit orders = running.begin("orders", () -> meeting("orders", under));
      Verifications.RunningAudit audit = running.begin("audit", () -> meeting("audit", under));

      assertThat(orders.verdict().recorder()).isEqualTo("orders");
      assertThat(audit.verdict().recorder()).isEqualTo("audit");
    }
  }

  @Test
  void oneThatCannotBePreparedLeavesTheOthersAlone() throws Exception {
    try (Verifications running = new Verifications(null)) {
      Verifications.RunningAudit orders =
          running.begin(
              "orders",
              () -> {
                throw new CommandFailure(1, "no such log");
              });
      Verifications.RunningAudit audit =
          running.begin("audit", () -> (progress, room) -> verdict("audit"));

      assertThatThrownBy(orders::verdict).hasMessage("no such log");
      assertThat(audit.verdict().recorder()).isEqualTo("audit");
    }
  }

  @Test
  void howFarTheyAreIsOnTheTerminalAndGoneInTheEnd() throws Exception {
    StringWriter terminal = new StringWriter();
    long[] nanos = {0};
    ProgressLine line = new ProgressLine(new PrintWriter(terminal), () -> nanos[0]);
    try (Verifications running = new Verifications(line)) {
      running
          .begin(
              "orders",
              () ->
                  (progress, room) -> {
                    nanos[0] += Duration.ofSeconds(1).toNanos();
                    progress.slots(1, 2, 500);
                    return verdict("orders");
                  })
          .verdict();
    }

    assertThat(terminal.toString())
        .contains("orders 25 % (slot 1 of 2, 500 rows)")
        .endsWith("\r\u001b[K");
  }

  @Test
  void objectsThatHaveNoRoomTogetherAreLookedAtOneAfterTheOther() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    CompletableFuture<Thread> asks = new CompletableFuture<>();
    AtomicBoolean left = new AtomicBoolean();
    AtomicBoolean hasRoom = new AtomicBoolean();
    Verification first =
        (progress, room) -> {
          assertThat(room.of(room.most())).isTrue();
          taken.countDown();
          Thread other = asks.join();
          await().until(() -> hasRoom.get() || other.getState() == Thread.State.TIMED_WAITING);
          left.set(true);
          return verdict("orders");
        };
    Verification second =
        (progress, room) -> {
          asks.complete(Thread.currentThread());
          boolean given = room.of(room.most());
          boolean alone = left.get();
          hasRoom.set(true);
          assertThat(given && alone).isTrue();
          return verdict("audit");
        };
    try (Verifications running = new Verifications(null)) {
      Verifications.RunningAudit orders = running.begin("orders", () -> first);
      taken.await();
      Verifications.RunningAudit audit = running.begin("audit", () -> second);

      assertThat(audit.verdict().recorder()).isEqualTo("audit");
      assertThat(orders.verdict().recorder()).isEqualTo("orders");
    }
  }

  /** Ends only if another runs at the same time. */
  private static Verification meeting(String recorder, CountDownLatch under) {
    return (progress, room) -> {
      under.countDown();
      try {
        assertThat(under.await(A_MINUTE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return verdict(recorder);
    };
  }

  private static AuditResult verdict(String recorder) {
    return new AuditResult(recorder, 1, 1, 1, 0, 0, 0, 0, 0, List.of(), 0, List.of());
  }
}
