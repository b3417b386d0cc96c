package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.LockKind.Client;
import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.postgres.Sessions;
import java.time.Duration;

/** Advisory locks. */
final class AdvisoryLossSite implements LossSite {
  private final HarmedPostgres postgres = new HarmedPostgres();
  private Duration expiry = postgres.holder().idleLimit();

  @Override
  public Client holder(Harm harm, Instruments instruments) {
    AdvisoryLocks locks = new AdvisoryLocks(sessions(harm), instruments);
    return new Client(locks::lock, locks::close);
  }

  /** Who keeps its lease is patient: a busy host's answer that comes late is no loss. */
  private Sessions sessions(Harm harm) {
    if (harm == Harm.HOLDERS_CLOCK_STOPPED) {
      Sessions unhurried = postgres.unhurriedHolder();
      expiry = unhurried.idleLimit();
      return unhurried;
    }
    return harm == Harm.ONE_RENEWAL_FAILED ? postgres.patientHolder() : postgres.holder();
  }

  @Override
  public Client other() {
    AdvisoryLocks locks = new AdvisoryLocks(postgres.other(), Instruments.PLAIN);
    return new Client(locks::lock, locks::close);
  }

  /** After that a session that says nothing is ended by the server. */
  @Override
  public Duration expiry() {
    return expiry;
  }

  /** A look, and what it lets go of. */
  @Override
  public Duration aftermath() {
    return Duration.ofMillis(400);
  }

  @Override
  public Undo harm(Harm harm, String name) throws Exception {
    if (harm == Harm.FORCED) {
      try (LockAdmin admin = LockAdmin.open(postgres.other())) {
        assertThat(admin.terminate(admin.advisory(name).get(0))).isTrue();
      }
      return Undo.NOTHING;
    } else if (harm == Harm.ONE_RENEWAL_FAILED) {
      postgres.proxy().pauseToClient();
      return postgres.proxy()::resume;
    }
    return postgres.harm(harm);
  }

  @Override
  public void close() {
    postgres.close();
  }
}
