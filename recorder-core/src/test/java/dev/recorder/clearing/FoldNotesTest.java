package dev.recorder.clearing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which notes of folded slots stay. */
class FoldNotesTest {

  @Test
  void fewNotesAllStay() {
    assertThat(FoldNotes.superfluous(List.of())).isEmpty();
    assertThat(FoldNotes.superfluous(List.of(7L))).isEmpty();
    assertThat(FoldNotes.superfluous(List.of(1000L, 2000L, 3000L, 4000L))).isEmpty();
  }

  @Test
  void someHundredsAreEnoughForFiftyMillionSlots() {
    List<Long> notes = new ArrayList<>();
    int most = 0;
    for (long slot = 1_000; slot <= 50_000_000; slot += 1_000) {
      notes.add(slot);
      notes.removeAll(FoldNotes.superfluous(notes));
      most = Math.max(most, notes.size());
    }

    assertThat(most).isBetween(100, 400);
    assertThat(notes).isSorted().endsWith(50_000_000L);
    for (int i = 1; i < notes.size(); i++) {
      long length = notes.get(i) - notes.get(i - 1);
      long behind = 50_000_000 - notes.get(i);
      assertThat(length).isLessThanOrEqualTo(Math.max(1_000, behind / 16));
    }
  }
}
