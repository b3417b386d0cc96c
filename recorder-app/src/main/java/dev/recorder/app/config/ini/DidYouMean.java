package dev.recorder.app.config.ini;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name nearest to an unknown one. */
public final class DidYouMean {
  private DidYouMean() {}

  /** Returns the nearest name; empty if it differs in more than a third of its letters. */
  public static Optional<String> among(Collection<String> names, String unknown) {
    return names.stream()
        .min(
            Comparator.comparingInt((String name) -> distance(name, unknown)).thenComparing(n -> n))
        .filter(name -> distance(name, unknown) <= Math.max(1, name.length() / 3));
  }

  private static int distance(String name, String unknown) {
    return edits(plain(name), plain(unknown));
  }

  /**
   * Drops case and separators, which are mistaken most often: {@code Lock-ID} becomes {@code
   * lockid}.
   */
  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[ _-]", "");
  }

  /**
   * Counts insertions, deletions, replacements, and swaps of neighbours (optimal string alignment).
   */
  private static int edits(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int cheapest(int[][] cost, String a, String b, int i, int j) {
    int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replace, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
