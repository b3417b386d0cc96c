package dev.recorder.slotlog;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a database can have lost the plan of a slot that is in the store, or never had it, or has
 * been replaced: then another database writes the same log.
 *
 * @param here the database that meets the slot
 * @param settledBy the one that settled a slot of its own last, with its timeline then; null if
 *     that is not known
 * @param own all databases that have written this log, as its row says
 * @param planned whether a slot with this content was planned here
 * @param restarted whether the server was started since that slot was settled
 * @param holed whether a settled slot has no row here, the last one or one among those adopted by
 *     their rows that end with it
 */
public record LossSigns(
    DatabaseIdentity here,
    @Nullable DatabaseIdentity settledBy,
    List<DatabaseIdentity> own,
    boolean planned,
    boolean restarted,
    boolean holed) {
  private static final String SEE = "; see the runbook, 'Two databases, one log'";

  /**
   * Why the slot is another database's, and what to do; empty if this one planned it, or can have
   * lost it.
   *
   * <p>Commits are lost by a promotion or a recovery, after which the server has another timeline
   * than when it settled its last slot; by a move, after which it is another server; or by storage
   * that was set back, after which it was started again. The last leaves the timeline as it was, so
   * the object must have been written on it, too. Of two timelines of one database the later one
   * goes on: what an earlier one wrote can have been lost by the promotion, whatever was settled
   * since, as both may have planned the same content; what a later one wrote was never this
   * server's, from which another one has taken over. That holds also for content that was planned
   * here: both have read the same rows, and a log whose next slots come from the one or the other
   * has no order.
   */
  public String refusal(RecorderName recorder, ObjectMetadata object) {
    DatabaseIdentity writer = object.database();
    if (writer != null && here.isBefore(writer)) {
      return isIn(recorder, object)
          + " on timeline "
          + writer.timeline()
          + "; this server is on timeline "
          + here.timeline()
          + ", and another one has taken over from it, so two databases write one log: shut this server"
          + " down, and have its hosts reach the other one; if it was set back on purpose and no"
          + " other one writes, 'recorder rebase "
          + recorder
          + "' then has the log go on behind slot "
          + object.slot()
          + SEE;
    } else if (planned
        || settledBy == null
        || (writer != null && isOwn(writer) && isLost(writer))) {
      return "";
    }
    return isIn(recorder, object)
        + "; this database ("
        + here.described()
        + ") never planned it and shows no sign of a loss since slot "
        + (object.slot() - 1)
        + ", so two databases write one log: stop the hosts of the other one; 'recorder rebase "
        + recorder
        + "' then has the log go on behind slot "
        + object.slot()
        + SEE;
  }

  private static String isIn(RecorderName recorder, ObjectMetadata object) {
    DatabaseIdentity writer = object.database();
    return "slot "
        + object.slot()
        + " of recorder "
        + recorder
        + " is in S3, written by "
        + object.writer()
        + " in epoch "
        + object.epoch()
        + " from database "
        + (writer == null ? "unknown" : writer.described());
  }

  private boolean isOwn(DatabaseIdentity writer) {
    return writer.isSameDatabase(here) || own.stream().anyMatch(writer::isSameDatabase);
  }

  private boolean isLost(DatabaseIdentity writer) {
    if (writer.isSameDatabase(here) && writer.timeline() != here.timeline()) {
      return true;
    }
    return !here.equals(settledBy) || holed || (restarted && writer.equals(here));
  }
}
