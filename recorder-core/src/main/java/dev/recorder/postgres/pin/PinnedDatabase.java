package dev.recorder.postgres.pin;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.RecorderName;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The session's database, and the databases in a recorder's row.
 *
 * <p>The name decides. The same name may lead to another server at any time: a promoted standby, or
 * a server made by {@code pg_upgrade}. Another name is another database, whatever its identifier
 * and oids, since a physical copy has the same ones. Another oid on the same server is a database
 * that replaced the former one.
 *
 * @param here the session's database
 * @param pinned the database from which the recorder wrote last; null before the first
 * @param former the databases from which the recorder wrote before
 */
public record PinnedDatabase(
    DatabaseIdentity here, @Nullable DatabaseIdentity pinned, List<DatabaseIdentity> former) {
  public PinnedDatabase {
    former = List.copyOf(former);
  }

  /** Returns whether this is the pinned database, or one that may take its place. */
  boolean isAccepted() {
    return pinned == null
        || (pinned.name().equals(here.name())
            && (pinned.system() == 0
                || pinned.system() != here.system()
                || pinned.oid() == here.oid()));
  }

  /** Returns whether the row must be updated: it names another database, or none yet. */
  public boolean isNew() {
    return pinned == null || !pinned.isSameDatabase(here);
  }

  /**
   * Returns all databases that have written, or may have written, as this recorder. The session's
   * database is the first.
   */
  public List<DatabaseIdentity> all() {
    return Stream.concat(
            pinned == null ? Stream.of(here) : Stream.of(here, pinned), former.stream())
        .distinct()
        .toList();
  }

  /** Returns why nothing may be written from this database, and the remedy; empty if it may. */
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
        + ": nothing is written from a copy; correct endpoint, port, database, schema or known_as in"
        + " [postgredb], or, if the database has really been moved or restored and no host writes"
        + " from the other one any more, run 'recorder rebase "
        + recorder
        + "'; see the runbook, 'Another database'";
  }
}
