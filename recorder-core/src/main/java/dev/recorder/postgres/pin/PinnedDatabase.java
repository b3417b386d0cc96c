package dev.recorder.postgres.pin;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The database that a session is in, and those that a recorder's row names.
 *
 * <p>The name decides. Behind the same name another server may stand at any time: a standby that
 * was promoted, one that {@code pg_upgrade} has made. Another name is another database, whatever
 * its server says of itself: a physical copy has the same identifier and the same oids. And one
 * that has another oid on the same server was put in the place of the one that was there.
 *
 * @param here the session's
 * @param pinned the one that the recorder wrote from last; null before the first
 * @param former those before it
 */
public record PinnedDatabase(
    DatabaseIdentity here, @Nullable DatabaseIdentity pinned, List<DatabaseIdentity> former) {
  public PinnedDatabase {
    former = List.copyOf(former);
  }

  /** Whether nothing says that this is another database; then it is told from the pinned one. */
  boolean isAccepted() {
    return pinned == null
        || (pinned.name().equals(here.name())
            && (pinned.system() == 0
                || pinned.system() != here.system()
                || pinned.oid() == here.oid()));
  }

  /** Whether the row has to be told: the same name, and another server or none before. */
  boolean isNew() {
    return pinned == null || !pinned.isSameDatabase(here);
  }

  /** All that have written, or may have, as this recorder; the one of the session first. */
  public List<DatabaseIdentity> all() {
    return Stream.concat(
            pinned == null ? Stream.of(here) : Stream.of(here, pinned), former.stream())
        .distinct()
        .toList();
  }

  /** Why nothing may be written from this database, and what to do; empty if it may. */
  public String refusal(RecorderName recorder) {
    if (pinned == null || isAccepted()) {
      return "";
    }
    String other =
        pinned.name().equals(here.name())
            ? "another database of this name on the same server (oid "
                + pinned.oid()
                + "; this one has "
                + here.oid()
                + ")"
            : "database " + pinned.name() + ", and this file leads to " + here.name();
    return "recorder "
        + recorder
        + " writes from "
        + other
        + ": nothing is written from a copy; correct endpoint, port, database or known_as in"
        + " [postgredb], or, if the database has really been moved or restored and no host writes"
        + " from the other one any more, run 'recorder rebase "
        + recorder
        + "'; see the runbook, 'Another database'";
  }
}
