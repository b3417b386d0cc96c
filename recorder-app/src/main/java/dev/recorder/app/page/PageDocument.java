package dev.recorder.app.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The document of the page. JSON members have the names of the components, with underscores. Ages
 * are in milliseconds, relative to the creation of the document, so that the viewer's clock does
 * not matter.
 *
 * @param trouble why the other members may be outdated, in one sentence; null if they are current
 * @param ageMs the age of the sample; null without a sample
 * @param worst the gravest severity of the notes, in lower case; null without notes
 */
record PageDocument(
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
   * Counts, including items that are left out for lack of space.
   *
   * @param recorders without retired recorders
   */
  record BoardCounts(int notes, int hosts, int alive, int recorders, int recorded, int retired) {}

  /** The curves of all recorders together, with the present values. */
  record Total(
      long stepMs,
      @Nullable Double lag,
      @Nullable Double rate,
      List<@Nullable Double> lags,
      List<@Nullable Double> rates) {}

  record NoteRow(
      String severity,
      @Nullable String recorder,
      @Nullable String host,
      String sentence,
      String runbook) {}

  /**
   * A host.
   *
   * @param self whether this host serves the page
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
   * @param holder the active host of a log; null if there is none
   * @param sinceMs the time since the term began, or since there is no active host
   * @param others the hosts that could take the log, or that work on the requests
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
   * @param complete the number of requests that this host has completed since its start; null if it
   *     does not work on them
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
   * @param unseen why some locks are missing; null if none are
   */
  record LockRows(int count, @Nullable String unseen, List<LockRow> rows) {}

  record LockRow(String kind, String name, String state, String holder, @Nullable Long sinceMs) {}
}
