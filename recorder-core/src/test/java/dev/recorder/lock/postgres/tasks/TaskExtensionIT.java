package dev.recorder.lock.postgres.tasks;

import static dev.recorder.lock.Leases.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.lock.postgres.RowSite;
import dev.recorder.testing.network.TcpProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** An extension that did not reach the server is not made up for later. */
@ResourceLock(RowSite.SHARED)
class TaskExtensionIT {
  private static final String DEADLINE =
      "SELECT deadline FROM recorder.lock_task WHERE queue_id = 'extended'";

  @Test
  void whatCouldNotBeExtendedInTimeKeepsItsDeadline() throws Exception {
    RowSite site = RowSite.shared();
    try (TcpProxy proxy = site.proxy();
        TaskQueue queue =
            new TaskQueue(site.cut(proxy), "extended", Duration.ofMinutes(1), Instruments.PLAIN)) {
      queue.add(List.of("extended"));
      Task task = queue.capture(1).get(0);
      String deadline = site.text(DEADLINE);
      proxy.refuseNew();
      proxy.reset();
      assertFails(Kind.UNREACHABLE, () -> queue.extend(task));
      proxy.heal();

      assertThat(queue.list(null, 10)).hasSize(1);

      assertThat(site.text(DEADLINE)).isEqualTo(deadline);
    }
  }
}
