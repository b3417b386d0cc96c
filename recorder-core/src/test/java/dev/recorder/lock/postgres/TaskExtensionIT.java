package dev.recorder.lock.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.LockException;
import dev.recorder.testing.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** An extension that did not reach the server is not made up for later. */
class TaskExtensionIT {
  private static final String DEADLINE =
      "SELECT deadline FROM recorder.lock_task WHERE id = 'extended'";

  @Test
  void whatCouldNotBeExtendedInTimeKeepsItsDeadline() throws Exception {
    try (RowSite site = RowSite.create();
        TcpProxy proxy = TcpProxy.to(site.database.server().port());
        TaskQueue queue =
            new TaskQueue(
                site.sessions("owner", proxy.port()),
                "default",
                Duration.ofMinutes(1),
                Instruments.PLAIN)) {
      queue.add(List.of("extended"), OptionalInt.empty());
      Task task = queue.capture(1).get(0);
      String deadline = site.text(DEADLINE);
      proxy.refuseNew();
      proxy.reset();
      assertThatThrownBy(() -> queue.extend(task))
          .isInstanceOfSatisfying(
              LockException.class,
              e -> assertThat(e.kind()).isEqualTo(LockException.Kind.UNREACHABLE));
      proxy.heal();

      assertThat(queue.list(null, 10)).hasSize(1);

      assertThat(site.text(DEADLINE)).isEqualTo(deadline);
    }
  }
}
