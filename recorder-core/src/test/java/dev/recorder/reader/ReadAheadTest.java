package dev.recorder.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.reader.ReaderSettings.ReadAheadLimits;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
  private static final long UNKNOWN = Long.MAX_VALUE;

  @Test
  void asksForTheFirstWhateverItsSize() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(4, 1), 7, 100);

    assertThat(lookahead.mayAsk(0, 0, 0)).isTrue();
    assertThat(lookahead.ask()).isEqualTo(7);
  }

  @Test
  void asksForOneOnlyUntilItKnowsHowLargeTheyAre() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(4, 1000), 1, 100);
    lookahead.ask();

    assertThat(lookahead.mayAsk(1, 1, 0)).isFalse();
    lookahead.arrived(100);
    assertThat(lookahead.mayAsk(1, 1, 0)).isTrue();
  }

  @Test
  void asksForNoMoreThanItsNumber() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(4, 1000), 1, 100);
    lookahead.arrived(1);

    assertThat(lookahead.mayAsk(3, 3, 0)).isTrue();
    assertThat(lookahead.mayAsk(4, 4, 0)).isFalse();
  }

  @Test
  void asksForNoMoreThanItsBytesIfTheyAreAsLargeAsTheLargestSoFar() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(4, 300), 1, 100);
    lookahead.arrived(100);
    lookahead.arrived(5);

    assertThat(lookahead.mayAsk(2, 1, 100)).isTrue();
    assertThat(lookahead.mayAsk(2, 1, 101)).isFalse();
    assertThat(lookahead.mayAsk(3, 3, 0)).isFalse();
  }

  @Test
  void asksForNothingBehindTheLast() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(4, 1000), 5, 5);
    lookahead.ask();
    lookahead.arrived(1);

    assertThat(lookahead.mayAsk(0, 0, 0)).isFalse();
  }

  @Test
  void asksForOneMoreWithEachThatIsThereWhereNobodyKnowsHowManyThereAre() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(3, 1000), 1, UNKNOWN);

    assertThat(line(lookahead)).isEqualTo(1);
    lookahead.arrived(1);
    assertThat(line(lookahead)).isEqualTo(2);
    lookahead.arrived(1);
    lookahead.arrived(1);
    assertThat(line(lookahead)).isEqualTo(3);
  }

  @Test
  void asksForOneAtTheEndAndForOneAfterTheFirstThatCameLater() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(3, 1000), 1, UNKNOWN);
    lookahead.arrived(1);
    lookahead.arrived(1);

    lookahead.backTo(3);
    assertThat(line(lookahead)).isEqualTo(1);
    assertThat(lookahead.ask()).isEqualTo(3);
    lookahead.arrived(1);
    assertThat(line(lookahead)).isEqualTo(1);
    lookahead.arrived(1);
    assertThat(line(lookahead)).isEqualTo(2);
  }

  @Test
  void goesOnAtFullWidthAfterAFailureWhereTheLastIsKnown() {
    ReadAhead lookahead = new ReadAhead(new ReadAheadLimits(3, 1000), 1, 100);
    lookahead.arrived(1);

    lookahead.backTo(2);
    lookahead.arrived(1);

    assertThat(line(lookahead)).isEqualTo(3);
  }

  /** How many stand in line once as many were asked for as may be. */
  private static int line(ReadAhead lookahead) {
    int line = 0;
    while (lookahead.mayAsk(line, line, 0)) {
      line++;
    }
    return line;
  }
}
