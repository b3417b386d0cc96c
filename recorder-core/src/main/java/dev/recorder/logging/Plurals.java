package dev.recorder.logging;

/** Counts with a singular or plural noun. */
public final class Plurals {
  private Plurals() {}

  /** Returns count and words, such as "1 request is" or "2 requests are". */
  public static String of(long count, String one, String many) {
    return count + " " + word(count, one, many);
  }

  /** Returns the word alone, for log lines in which the count is an argument of its own. */
  public static String word(long count, String one, String many) {
    return count == 1 ? one : many;
  }

  public static String rows(long count) {
    return of(count, "row", "rows");
  }
}
