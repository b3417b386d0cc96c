package dev.recorder.clearing;

import java.util.ArrayList;
import java.util.List;

/**
 * Which notes of folded slots stay. Each covers every slot from the first, so any may go: what is
 * proved then is proved of a longer stretch at once. A stretch may be as long as a {@value
 * #SHARE}th of what lies behind it, so that a few hundred notes do for any log, and the newest
 * slots have the shortest. Pure.
 */
final class FoldNotes {
  private static final int SHARE = 16;

  private FoldNotes() {}

  /** Those that may go, of ascending last slots, the latest of which stays. */
  static List<Long> superfluous(List<Long> notes) {
    List<Long> superfluous = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < notes.size() - 1; i++) {
      long next = notes.get(i + 1);
      long behind = notes.get(notes.size() - 1) - next;
      if (next - before <= behind / SHARE) {
        superfluous.add(notes.get(i));
      } else {
        before = notes.get(i);
      }
    }
    return superfluous;
  }
}
