package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.objects.RowPrint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SumsTest {
  private final Random random = new Random(5);
  private final List<RowPrint> rows = new ArrayList<>();

  SumsTest() {
    for (long id = 1; id <= 10_000; id++) {
      rows.add(new RowPrint(id, 700 + id / 9, id, random.nextLong(), random.nextLong()));
    }
  }

  @Test
  void theSameRowsInAnotherOrderAreNoDifference() {
    Sums first = sums(rows);
    Collections.shuffle(rows, random);

    assertThat(first.differences(sums(rows)).isEmpty()).isTrue();
    assertThat(first.rows()).isEqualTo(10_000);
  }

  @Test
  void aMissingRowIsADifferenceAtItsPlaceOnBothSides() {
    Sums all = sums(rows);
    RowPrint lost = rows.remove(4_321);

    assertThat(all.differences(sums(rows)).stream()).containsExactly(Sums.place(lost.id()));
    assertThat(sums(rows).differences(all).stream()).containsExactly(Sums.place(lost.id()));
  }

  @Test
  void twoRowsThatHaveChangedTheirTransactionsAreADifference() {
    Sums honest = sums(rows);
    RowPrint one = rows.get(100);
    RowPrint other = rows.get(120);
    rows.set(100, with(one, other.xid()));
    rows.set(120, with(other, one.xid()));

    assertThat(honest.differences(sums(rows)).stream()).containsExactly(Sums.place(101));
  }

  @Test
  void idsThatAreFarApartDoNotNeedMore() {
    Sums far = new Sums();
    far.add(new RowPrint(Long.MAX_VALUE, 3, 1, 1, 1));
    far.add(new RowPrint(-1, 3, 1, 1, 1));
    far.add(new RowPrint(Long.MIN_VALUE, 3, 1, 1, 1));

    assertThat(far.differences(new Sums()).stream()).containsExactly(0, Sums.PLACES - 1);
  }

  private static RowPrint with(RowPrint row, long xid) {
    return new RowPrint(row.id(), xid, row.timeMicros(), row.high(), row.low());
  }

  private static Sums sums(List<RowPrint> rows) {
    Sums sums = new Sums();
    rows.forEach(sums::add);
    return sums;
  }
}
