package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Term;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LedgerContract;
import dev.recorder.slotlog.LedgerFixture;
import dev.recorder.slotlog.Rotation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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

  /** In COPY's binary format a jsonb value has another first byte than its text. */
  @Test
  void aPayloadThatIsNoLongerJsonIsNotReadAndSaysSo() {
    JdbcLedgerFixture fixture = new JdbcLedgerFixture();
    Term term = fixture.beginTerm("a");
    fixture.begin(1);
    fixture.insert(1, "k", "{}");
    fixture.commit(1);
    Ledger ledger = fixture.open(term, new Rotation(100, 1_000_000));
    ledger.load();
    fixture.execute("ALTER TABLE handoff.orders ALTER payload TYPE jsonb");

    Event answer = ledger.read(new Effect.Read(1, 0, Position.START, false));

    fixture.close();
    assertThat(answer)
        .isInstanceOfSatisfying(
            Event.DatabaseUnclear.class,
            unclear ->
                assertThat(unclear.why())
                    .contains("json_typeof(jsonb) does not exist", "not as the recorder made it")
                    .contains("column payload of table handoff.orders has become jsonb")
                    .endsWith("ALTER TABLE handoff.orders ALTER COLUMN payload TYPE json"));
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
