package dev.recorder.slotlog;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for a slot that is in the store, whether this database can have lost its plan. If it
 * cannot, another database writes the same log.
 *
 * @param here the database of the current session
 * @param settledBy the database that last settled a slot of its own, with its timeline at that
 *     time; null if not known
 * @param own all databases that have written this log, according to its row
 * @param planned whether this database has planned the slot with this content
 * @param restarted whether the server was started after a slot of its own was last settled
 * @param holed whether a settled slot after the last slot with a window has no row in {@code slots}
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
   * Returns why the slot belongs to another database, and the remedy. Returns an empty string if
   * this database planned the slot, or can have lost its plan.
   *
   * <p>Commits can be lost in three ways. After a promotion or a recovery, the server has another
   * timeline than when it last settled a slot. After a move, it is another server. After its
   * storage was set back, it was started again; the timeline then stays, so the object must have
   * been written on this timeline, too.
   *
   * <p>Of two timelines of one database, the later one continues the log. A slot that an earlier
   * timeline wrote can have been lost by the promotion, whatever was settled since, as both
   * timelines may have planned the same content. A slot that a later timeline wrote was never this
   * server's: another server has taken over from this one. That holds even if this server has
   * planned the same content, since both servers have read the same rows. A log whose next slots
   * come from two servers has no order.
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
