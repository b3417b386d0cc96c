package dev.recorder.app.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows, as it is sent: names of components are those of members, with
 * underlines. Ages are milliseconds up to the moment at which the document was made, so that no
 * viewer's clock has to be right.
 *
 * @param trouble why what follows may be old, in one sentence; null if it is of now
 * @param ageMs how old it is; null if there is nothing
 * @param worst how grave the gravest note is, in lower case; null without any
 */
record Board(
    String host,
    String version,
    @Nullable String trouble,
    @Nullable Long ageMs,
    @Nullable String worst,
    BoardCounts counts,
    List<NoteRow> notes,
    List<HostRow> hosts,
    List<BoardRecorder> recorders,
    Total total,
    List<TakeoverRow> takeovers,
    List<BoardRequests> requests,
    LockRows locks) {

  /**
   * How many there are, also of what is left out for lack of space.
   *
   * @param recorders without those that are retired
   */
  record BoardCounts(int notes, int hosts, int alive, int recorders, int recorded, int retired) {}

  /** Curves of all recorders together; the last value is of now. */
  record Total(
      long stepMs,
      @Nullable Double lag,
      @Nullable Double rate,
      List<@Nullable Double> lags,
      List<@Nullable Double> rates) {}

  /** Something that is not as it should be. */
  record NoteRow(
      String severity,
      @Nullable String recorder,
      @Nullable String host,
      String sentence,
      String runbook) {}

  /**
   * A host.
   *
   * @param self whether this page is its own
   * @param state alive, silent or gone
   */
  record HostRow(
      String name,
      boolean self,
      String state,
      long beatMs,
      String version,
      List<String> active,
      int actives,
      int able) {}

  /**
   * A recorder.
   *
   * @param state active, stuck, moving, nobody, works or paused
   * @param holder of a log the active host; null if nobody is
   * @param sinceMs since when it is: of a log the term, or since nobody has it
   * @param others of a log the hosts that could take it; of requests those that work
   */
  record BoardRecorder(
      String name,
      String kind,
      String state,
      @Nullable String holder,
      List<String> others,
      long epoch,
      @Nullable Long sinceMs,
      long lastSlot,
      @Nullable Long settledMs,
      @Nullable Integer waiting,
      boolean more,
      @Nullable Double lag,
      @Nullable Double rate,
      List<@Nullable Double> lags,
      List<@Nullable Double> rates) {}

  /** A receipt. */
  record TakeoverRow(
      long agoMs,
      String recorder,
      String reason,
      @Nullable String from,
      String to,
      long epoch,
      @Nullable Long gapMs) {}

  /**
   * Requests of a recorder.
   *
   * @param complete settled by this host since it started; null if it does not work on them
   */
  record BoardRequests(
      String recorder,
      @Nullable Integer waiting,
      boolean more,
      @Nullable Double oldest,
      long errors,
      boolean moreErrors,
      @Nullable Long complete) {}

  /**
   * Locks of applications.
   *
   * @param unseen why some are not among them; null if all are
   */
  record LockRows(int count, @Nullable String unseen, List<LockRow> rows) {}

  /** One of these. */
  record LockRow(String kind, String name, String state, String holder, @Nullable Long sinceMs) {}
}
