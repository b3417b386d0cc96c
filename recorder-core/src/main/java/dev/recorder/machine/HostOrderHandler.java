package dev.recorder.machine;

import dev.recorder.logging.LogEvent;
import dev.recorder.machine.term.SwitchoverCheck;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.HostAnswer.TermCheck;
import dev.recorder.operate.orders.MachineOrder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the operators' orders to this host. Runs on a thread that may wait for the control
 * loop's thread, which makes the changes.
 */
final class HostOrderHandler {
  private static final Logger log = LoggerFactory.getLogger(HostOrderHandler.class);

  /** How long the control loop may take to answer; it may be waiting for the database. */
  private static final Duration LOOP_ANSWERS_WITHIN = Duration.ofSeconds(30);

  private final MachineLoop loop;
  private final UnaryOperator<String> file;

  /**
   * Creates the handler of one host.
   *
   * @param file says what is wrong with the configuration file of a recorder; empty if nothing is
   */
  HostOrderHandler(MachineLoop loop, UnaryOperator<String> file) {
    this.loop = loop;
    this.file = file;
  }

  /** Carries the order out and returns the answer as JSON. */
  String carryOut(MachineOrder order) {
    log.info(
        LogEvent.ORDER_TAKEN,
        "{}{}, as asked by {}",
        order.kind().word(),
        order.recorder().isEmpty() ? "" : " " + order.recorder(),
        order.by());
    HostAnswer answer;
    try {
      answer = answer(order);
    } catch (TimeoutException late) {
      answer = HostAnswer.failed("the control loop has not answered; it does it when it does");
    } catch (ExecutionException bug) {
      answer = HostAnswer.failed("bug: " + bug.getCause());
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      answer = HostAnswer.failed("this process is stopping");
    }
    return answer.json();
  }

  private HostAnswer answer(MachineOrder order)
      throws ExecutionException, InterruptedException, TimeoutException {
    return switch (order.kind()) {
      case DRAIN -> drain("it is drained, as asked by " + order.by());
      case UNDRAIN -> drain("");
      case REHEARSE -> checkSwitchover(order.recorder());
      default -> throw new IllegalArgumentException(order.toString());
    };
  }

  private HostAnswer drain(String why)
      throws ExecutionException, InterruptedException, TimeoutException {
    return new HostAnswer("", answered(loop.drain(why)), List.of());
  }

  private HostAnswer checkSwitchover(String recorder)
      throws ExecutionException, InterruptedException, TimeoutException {
    Optional<SwitchoverCheck> check = answered(loop.switchoverCheck(recorder));
    List<TermCheck> checks = check.isPresent() ? check.get().run(file) : List.of(without(recorder));
    return new HostAnswer("", List.of(), checks);
  }

  /** The result stays the same until the configuration file changes, so a retry is useless. */
  private static TermCheck without(String recorder) {
    return new TermCheck(
        "file",
        "the file that its process has read has no [recorder:%s]; write it there, and then on that host: recorder reload"
            .formatted(recorder));
  }

  private static <T> T answered(CompletableFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(LOOP_ANSWERS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
  }
}
