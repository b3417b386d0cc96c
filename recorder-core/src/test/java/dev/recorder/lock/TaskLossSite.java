package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.LockKind.Client;
import dev.recorder.lock.postgres.tasks.TaskLocks;
import dev.recorder.lock.postgres.tasks.TaskQueue;
import dev.recorder.lock.postgres.tasks.TaskStatus;
import dev.recorder.postgres.LockSites;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Tasks as locks. */
final class TaskLossSite implements LossSite {
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HarmedPostgres postgres = new HarmedPostgres();
  private @Nullable TaskLocks holder;

  @Override
  public Client holder(Harm harm, Instruments instruments) {
    TaskLocks locks = new TaskLocks(postgres.holder(), TIMEOUT, instruments);
    holder = locks;
    return new Client(locks::lock, locks::close);
  }

  @Override
  public Client other() {
    TaskLocks locks = new TaskLocks(postgres.other(), TIMEOUT, Instruments.PLAIN);
    return new Client(locks::lock, locks::close);
  }

  @Override
  public Duration expiry() {
    return TIMEOUT;
  }

  @Override
  public Duration aftermath() {
    return Duration.ofMillis(100);
  }

  @Override
  public void keep(Lease lease) {
    holder.extend(lease);
  }

  @Override
  public Undo harm(Harm harm, String name) throws Exception {
    String row = " WHERE id = '" + name + "'";
    return switch (harm) {
      case FORCED -> {
        force(name, TaskStatus.FAILED);
        yield Undo.NOTHING;
      }
      case DELETED -> {
        LockSites.execute(postgres.database(), "DELETE FROM recorder.lock_task" + row);
        yield Undo.NOTHING;
      }
      case OVERWRITTEN -> {
        // In one statement: its holder may look at any time, and a free task was revoked.
        String another = "UPDATE recorder.lock_task SET owner = 'another', token = token + 1";
        LockSites.execute(postgres.database(), another + row);
        String free = "UPDATE recorder.lock_task SET status = 'new', owner = NULL, deadline = NULL";
        yield () -> LockSites.execute(postgres.database(), free + row);
      }
      case SERVERS_CLOCK_AHEAD -> {
        String over = "UPDATE recorder.lock_task SET deadline = deadline - interval '1 hour'";
        Client another = ready();
        LockSites.execute(postgres.database(), over + row);
        yield takenBy(another, name);
      }
      case ONE_RENEWAL_FAILED -> postgres.harm(Harm.CONNECTIONS_REFUSED);
      default -> postgres.harm(harm);
    };
  }

  private void force(String name, TaskStatus status) throws SQLException {
    try (TaskQueue operator =
        new TaskQueue(postgres.other(), "default", TIMEOUT, Instruments.PLAIN)) {
      assertThat(operator.force(name, status, OptionalInt.empty())).isTrue();
    }
  }

  /** Whose session is open: what it takes is taken before the holder looks. */
  private Client ready() throws Exception {
    Client client = other();
    Leases.finish(Leases.take(client.lock("ready")));
    return client;
  }

  private static Undo takenBy(Client client, String name) throws Exception {
    Lease another = Leases.take(client.lock(name));
    return () -> {
      another.close();
      client.close();
    };
  }

  @Override
  public void close() {
    postgres.close();
  }
}
