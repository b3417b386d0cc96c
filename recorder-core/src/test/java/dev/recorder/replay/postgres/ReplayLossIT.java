package dev.recorder.replay.postgres;

import static dev.recorder.replay.postgres.ReplaySite.account;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.replay.ReplayResult;
import dev.recorder.replay.postgres.ReplaySite.Transaction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A database that lost commits which are in its log, and with them the numbers of their statements:
 * it gives these out again, to changes that come later.
 */
class ReplayLossIT {
  private static final String ACCOUNT = "public.account";
  private static final int ALL = 50_000;

  private ReplaySite site;
  private RebaseSite restored;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
    site.change("insert", ACCOUNT, account(1, "first"));
    site.source.record(ALL);
  }

  @AfterEach
  void close() throws Exception {
    if (restored != null) {
      restored.close();
    }
    site.close();
  }

  @Test
  void whatIsChangedAfterALossStandsThoughItsNumbersAreLower() throws Exception {
    keep();
    for (String lost : new String[] {"lost", "lost as well", "lost, too"}) {
      site.change("update", ACCOUNT, account(1, lost));
    }
    site.source.record(ALL);
    changeAfterwards("update", account(1, "new"));
    restored.record(ALL);

    ReplayResult result = site.replay();

    assertThat(result.stepsBefore()).containsExactly(3L);
    assertThat(site.accounts()).containsExactly("1=new");
  }

  @Test
  void aTruncationThatWasLostTakesNothingThatCameAfterIt() throws Exception {
    keep();
    site.change("insert", ACCOUNT, account(2, "lost"));
    site.change("truncate", ACCOUNT, "");
    site.source.record(ALL);
    changeAfterwards("insert", account(3, "new"));
    restored.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactly("3=new");
  }

  @Test
  void twoLossesOneAfterTheOther() throws Exception {
    keep();
    try (RebaseSite again =
        new RebaseSite(site.source.database.copyInItsPlace(), site.source.store)) {
      site.change("update", ACCOUNT, account(1, "lost"));
      site.source.record(ALL);
      changeAfterwards("update", account(1, "lost again"));
      changeAfterwards("update", account(1, "lost again as well"));
      restored.record(ALL);
      change(again, "update", account(1, "new"));
      again.record(ALL);
    }

    ReplayResult result = site.replay();

    assertThat(result.stepsBefore()).containsExactly(3L, 4L);
    assertThat(site.accounts()).containsExactly("1=new");
  }

  /** Only the plan of the slot is lost; the next window has the rows that the slot left over. */
  @Test
  void whatIsLeftOfAWindowThatBrokeOffHasItsPlaceAmongItsChanges() throws Exception {
    try (Transaction older = site.begin();
        Transaction younger = site.begin()) {
      older.change("insert", ACCOUNT, account(2, "other"));
      younger.change("update", ACCOUNT, account(1, "of the younger")).commit();
      older.change("update", ACCOUNT, account(1, "of the older")).commit();
    }
    keep();
    site.source.record(2, 1);
    changeAfterwards("update", account(2, "new"));
    restored.record(ALL);
    assertThat(site.slots()).hasSize(3);

    ReplayResult result = site.replay();

    assertThat(result.stepsBefore()).containsExactly(3L);
    assertThat(site.accounts()).containsExactly("1=of the older", "2=new");
  }

  @Test
  void whatIsChangedAfterALossInTheMiddleOfAWindowStands() throws Exception {
    keep();
    for (String lost : new String[] {"lost", "lost as well", "lost, too"}) {
      site.change("update", ACCOUNT, account(1, lost));
    }
    site.source.record(2, 1);
    changeAfterwards("update", account(1, "new"));
    restored.record(ALL);

    site.replay();

    assertThat(site.accounts()).containsExactly("1=new");
  }

  /** The state that the database is restored to later. */
  private void keep() throws Exception {
    restored = new RebaseSite(site.source.database.copyInItsPlace(), site.source.store);
  }

  private void changeAfterwards(String op, String members) throws Exception {
    change(restored, op, members);
  }

  private static void change(RebaseSite there, String op, String members) throws Exception {
    there.run(
        "INSERT INTO handoff.orders (key, payload) VALUES ('k', ('{\"by\":\"recorder_capture\",\"op\":\"%s\",\"table\":\"%s\","
                .formatted(op, ACCOUNT)
            + "\"seq\":'||nextval('public.effects')||'"
            + members
            + "}')::json)");
  }
}
