package dev.recorder.audit;

import java.util.HashMap;
import java.util.Map;

/**
 * A set of ids in at most one bit each, and in next to none where ids are dense: a page that is
 * full is no longer stored.
 */
final class IdSet {
  private static final int PAGE_BITS = 12;
  private static final int WORDS = 1 << (PAGE_BITS - 6);

  /** With what the map has of it. */
  private static final long BYTES_A_PAGE = WORDS * Long.BYTES + 128;

  private static final IdPage FULL = new IdPage(new long[0]);

  private final Map<Long, IdPage> pages = new HashMap<>();

  /** Pages that are not full; those that are take next to nothing. */
  private long stored;

  private static final class IdPage {
    private final long[] words;
    private int missing = 1 << PAGE_BITS;

    IdPage(long[] words) {
      this.words = words;
    }
  }

  /** Adds {@code id}; false if it was there. */
  boolean add(long id) {
    long number = id >> PAGE_BITS;
    IdPage page = pages.get(number);
    if (page == null) {
      page = new IdPage(new long[WORDS]);
      pages.put(number, page);
      stored++;
    }
    if (page == FULL || isSet(page, id)) {
      return false;
    }
    page.words[word(id)] |= 1L << id;
    if (--page.missing == 0) {
      pages.put(number, FULL);
      stored--;
    }
    return true;
  }

  boolean contains(long id) {
    IdPage page = pages.get(id >> PAGE_BITS);
    return page != null && (page == FULL || isSet(page, id));
  }

  /** What it takes. */
  long bytes() {
    return stored * BYTES_A_PAGE + (pages.size() - stored) * 64;
  }

  private static boolean isSet(IdPage page, long id) {
    return (page.words[word(id)] & (1L << id)) != 0;
  }

  private static int word(long id) {
    return (int) (id >> 6) & (WORDS - 1);
  }
}
