package dev.recorder.audit;

import java.util.HashMap;
import java.util.Map;

/**
 * A set of ids that takes at most one bit per id, and almost nothing for dense ids, since a full
 * page is not stored.
 */
final class IdSet {
  private static final int PAGE_BITS = 12;
  private static final int WORDS = 1 << (PAGE_BITS - 6);

  /** The memory of a page, with its entry in the map. */
  private static final long BYTES_A_PAGE = WORDS * Long.BYTES + 128;

  private static final IdPage FULL = new IdPage(new long[0]);

  private final Map<Long, IdPage> pages = new HashMap<>();

  /** The number of pages that are not full; full pages take almost no memory. */
  private long stored;

  private static final class IdPage {
    private final long[] words;
    private int missing = 1 << PAGE_BITS;

    IdPage(long[] words) {
      this.words = words;
    }
  }

  /** Adds {@code id}; returns false if it was there. */
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

  /** The memory of the set. */
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
