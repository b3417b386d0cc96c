package dev.recorder.postgres.pin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorders are pinned to db:5432/app of server 7, oid 5, and last wrote on its timeline 1. */
class PinnedDatabaseTest {
  private static final RecorderName ORDERS = new RecorderName("orders");
  private static final DatabaseIdentity PINNED = new DatabaseIdentity("db:5432/app", 7, 5, 1);

  @ParameterizedTest(name = "{0}: {5}")
  @CsvSource({
    "a second host,                      db:5432/app,      7, 5, 1, accepted",
    "a restart or a minor upgrade,       db:5432/app,      7, 5, 1, accepted",
    "Multi-AZ,                           db:5432/app,      7, 5, 1, accepted",
    "a promoted replica,                 db:5432/app,      7, 5, 2, accepted",
    "recovery to an earlier time,        db:5432/app,      7, 5, 3, accepted",
    "pg_upgrade that keeps oids,         db:5432/app,      8, 5, 1, accepted",
    "pg_upgrade before 15 or blue/green, db:5432/app,      8, 9, 1, accepted",
    "a dump behind the same name,        db:5432/app,      8, 9, 1, accepted",
    "a host by a tunnel,                 localhost:99/app, 7, 5, 1, refused",
    "a copy by CREATE DATABASE,          db:5432/staging,  7, 9, 1, refused",
    "such a copy under the first's name, db:5432/app,      7, 9, 1, refused",
    "a physical copy elsewhere,          copy:5432/app,    7, 5, 1, refused",
    "a promoted one elsewhere,           copy:5432/app,    7, 5, 2, refused",
    "a dump that was restored elsewhere, copy:5432/app,    8, 9, 1, refused",
    "another port of the host,           db:5433/app,      7, 5, 1, refused"
  })
  void aRecorderStaysWithItsDatabase(
      String what, String name, long system, long oid, long timeline, String verdict) {
    DatabaseIdentity here = new DatabaseIdentity(name, system, oid, timeline);

    String refusal = new PinnedDatabase(here, PINNED, List.of()).refusal(ORDERS);

    assertThat(refusal.isEmpty()).as(what + ": " + refusal).isEqualTo(verdict.equals("accepted"));
    assertThat(new PinnedDatabase(here, null, List.of()).refusal(ORDERS)).isEmpty();
  }

  @Test
  void theRefusalNamesBothAndTheRemedy() {
    DatabaseIdentity here = new DatabaseIdentity("copy:5432/app", 7, 5, 1);

    assertThat(new PinnedDatabase(here, PINNED, List.of()).refusal(ORDERS))
        .contains("writes from database db:5432/app", "leads to copy:5432/app", "known_as")
        .contains("'recorder rebase orders'");
  }

  @Test
  void aServerThatDoesNotSayWhichItIsIsToldByItsName() {
    DatabaseIdentity pinned = new DatabaseIdentity("db:5432/app", 0, 5, 0);
    DatabaseIdentity here = new DatabaseIdentity("db:5432/app", 0, 9, 0);

    assertThat(new PinnedDatabase(here, pinned, List.of()).refusal(ORDERS)).isEmpty();
  }
}
