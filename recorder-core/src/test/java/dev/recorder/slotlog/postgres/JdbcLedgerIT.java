package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Term;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LedgerContract;
import dev.recorder.slotlog.LedgerFixture;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ledger's contract on a real server. */
@Tag("smoke")
class JdbcLedgerIT extends LedgerContract {
  @Override
  protected LedgerFixture newFixture() {
    return new JdbcLedgerFixture();
  }

  @Test
  void whoWouldTakeARecorderThatNobodyHoldsReadsWhatIsNext() {
    JdbcLedgerFixture fixture = new JdbcLedgerFixture();
    fixture.beginTerm("a");
    fixture.begin(1);
    fixture.insert(1, "k", "{}");
    fixture.commit(1);
    Term vacant = fixture.endTerm();
    Ledger ledger = fixture.open(vacant, new Rotation(100, 1_000_000));

    Event loaded = ledger.load();
    Event read = ledger.read(new Effect.Read(1, 0, Position.START, false));

    fixture.close();
    assertThat(loaded).isInstanceOf(Event.Loaded.class);
    assertThat(read).isInstanceOf(Event.Built.class);
  }

  /** Who pauses a log, or asks for another holder, writes the very row that is being settled. */
  @Test
  void settlesASlotWhoseRowSomebodyElseIsChanging() throws Exception {
    JdbcLedgerFixture fixture = new JdbcLedgerFixture();
    Ledger ledger = fixture.open(fixture.beginTerm("a"), new Rotation(1, 1_000_000));
    fixture.begin(1);
    fixture.insert(1, "k", "{}");
    fixture.insert(1, "k", "{}");
    fixture.commit(1);
    ledger.load();
    SlotContent first = built(ledger, new Effect.Read(1, 0, Position.START, false));
    ledger.plan(first);
    SlotContent second = built(ledger, new Effect.Read(2, 0, first.after(), false));

    for (Effect.Settle settle :
        List.of(
            new Effect.Settle(first, Origins.CHAIN, second),
            new Effect.Settle(second, Origins.CHAIN, null))) {
      fixture.begin(2);
      fixture.execute(2, "UPDATE recorder.lock_recorders SET pause_reason = 'why'");
      CompletableFuture<LedgerEvent> settled =
          CompletableFuture.supplyAsync(() -> ledger.settle(settle));
      fixture.awaitBlocked();
      fixture.commit(2);
      assertThat(settled.get(1, TimeUnit.MINUTES)).isEqualTo(new Event.Settled());
    }
    fixture.close();
  }

  private static SlotContent built(Ledger ledger, Effect.Read read) {
    return ((Event.Built) ledger.read(read)).content();
  }

  @Test
  void adoptsByTheirRowsAllThatFollowASlotWhoseRowIsGone() {
    settledFirst();
    ((JdbcLedgerFixture) fixture()).execute("DELETE FROM recorder.slots");

    assertThat(adoptLost(2)).isInstanceOf(Event.Adopted.class);
    assertThat(adoptLost(3)).isInstanceOf(Event.Adopted.class);
  }

  /** In COPY's binary format a jsonb value has another first byte than its text, and so on. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          payload TYPE jsonb | column payload of table handoff.orders has become jsonb | payload TYPE json
          time TYPE date | column time of table handoff.orders has become date | time TYPE timestamptz, with TimeZone set to what it was when it was altered
          time TYPE timestamp | has become timestamp without time zone | time TYPE timestamptz, with TimeZone set to what it was when it was altered
          key TYPE bytea USING key::bytea | column key of table handoff.orders has become bytea | key TYPE text USING pg_catalog.convert_from(key, 'UTF8')
          key TYPE varchar(9) | column key of table handoff.orders has become character varying | key TYPE text
          """)
  void aColumnOfAnotherTypeIsNotReadAndSaysSo(String change, String said, String remedy) {
    JdbcLedgerFixture fixture = new JdbcLedgerFixture();
    Term term = fixture.beginTerm("a");
    fixture.begin(1);
    fixture.insert(1, "k", "{}");
    fixture.commit(1);
    Ledger ledger = fixture.open(term, new Rotation(100, 1_000_000));
    ledger.load();
    fixture.execute(
        "ALTER TABLE handoff.orders DROP CONSTRAINT only_captures_write_changes, ALTER " + change);

    Event answer = ledger.read(new Effect.Read(1, 0, Position.START, false));

    fixture.close();
    assertThat(answer)
        .isInstanceOfSatisfying(
            Event.DatabaseUnclear.class,
            unclear ->
                assertThat(unclear.why())
                    .contains("42883", "not as the recorder made it", said)
                    .endsWith("ALTER TABLE handoff.orders ALTER COLUMN " + remedy));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT 1, 2::bigint, now(), 'k', '{}'::json | column id has 4 bytes, not 8
          SELECT 1::bigint, 2::bigint, current_date, 'k', '{}' | column time has 4 bytes, not 8
          SELECT 1::bigint | a row has 1 columns, not 5
          """)
  void whatIsNotAsLongAsItMustBeIsAMatterOfTheDatabase(String select, String said)
      throws Exception {
    try (TestDatabase database = TestDatabase.create();
        Connection connection = database.connect();
        BinaryCopy copy = new BinaryCopy(connection, select)) {
      assertThatThrownBy(copy::next)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42804"))
          .hasMessage(said);
    }
  }

  @Test
  void twoRowsOfOnePositionStopTheLogWithoutABugAndTheRemedyLetsItGoOn() {
    JdbcLedgerFixture fixture = new JdbcLedgerFixture();
    Ledger ledger = fixture.open(fixture.beginTerm("a"), new Rotation(100, 1_000_000));
    fixture.execute(
        "INSERT INTO handoff.orders (id, payload) OVERRIDING SYSTEM VALUE"
            + " VALUES (6, '{}'), (7, '{}'), (7, '{}'), (8, '{}')");
    fixture.execute("SELECT setval('handoff.orders_id_seq', 8)");
    ledger.load();

    Event stopped = ledger.read(new Effect.Read(1, 0, Position.START, false));
    fixture.execute(
        "UPDATE handoff.orders SET xid = DEFAULT, id = DEFAULT WHERE (tableoid, ctid) ="
            + " (SELECT tableoid, ctid FROM handoff.orders WHERE id = 7 LIMIT 1)");
    SlotContent content = built(ledger, new Effect.Read(1, 0, Position.START, false));

    fixture.close();
    assertThat(stopped)
        .isInstanceOfSatisfying(
            Event.DatabaseUnclear.class,
            unclear ->
                assertThat(unclear.why())
                    .startsWith("the row with id 7 and xid ")
                    .contains(
                        "of handoff.orders cannot be recorded, and nothing after it",
                        "SET xid = DEFAULT, id = DEFAULT"));
    assertThat(content.extent().rows()).isEqualTo(4);
    assertThat(content.extent().lastId()).isEqualTo(9);
  }

  /** Else the first would be recorded, and the next read would begin behind both. */
  @Test
  void twoRowsOfOnePositionStopTheLogWhereTheFirstOfThemWouldFillASlot() {
    JdbcLedgerFixture fixture = new JdbcLedgerFixture();
    Ledger ledger = fixture.open(fixture.beginTerm("a"), new Rotation(2, 1_000_000));
    fixture.execute(
        "INSERT INTO handoff.orders (id, payload) OVERRIDING SYSTEM VALUE"
            + " VALUES (6, '{}'), (7, '{}'), (7, '{}')");
    ledger.load();

    Event stopped = ledger.read(new Effect.Read(1, 0, Position.START, false));

    fixture.close();
    assertThat(stopped).isInstanceOf(Event.DatabaseUnclear.class);
  }

  @Test
  void saysWhatEndedTheSessionNotThatItHasEnded() {
    LedgerFixture fixture = newFixture();
    Term term = fixture.beginTerm("a");
    Ledger ledger = fixture.open(term, new Rotation(100, 1_000_000));
    ledger.load();
    fixture.endDataSessions(term);

    Event answer = ledger.read(new Effect.Read(1, 0, Position.START, false));

    fixture.close();
    assertThat(answer)
        .isInstanceOfSatisfying(
            Event.DatabaseUnclear.class,
            unclear -> assertThat(unclear.why()).contains("terminating connection", "57P01"));
  }
}
