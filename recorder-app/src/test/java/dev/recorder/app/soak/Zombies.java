package dev.recorder.app.soak;

import dev.recorder.app.harness.proof.SettleJournal;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes by machines whose term is over: PUTs that began after the lease had ended, settles by
 * others than the holder.
 */
final class Zombies {
  /** A lease; what was taken from a silent machine was so after its lease. */
  private static final long LEASE_MILLIS = 1_500;

  /** What was on its way from the check of the lease to the network when the process froze. */
  private static final long UNDER_WAY_MILLIS = 1_000;

  private final Map<String, TreeMap<Long, Long>> ends = new HashMap<>();
  private final Journal journal;
  private int takeovers;

  private Zombies(Journal journal) {
    this.journal = journal;
  }

  /** Reads from the receipts when each term had surely ended. */
  static Zombies of(TestDatabase database, List<String> recorders, Journal journal)
      throws SQLException {
    Zombies zombies = new Zombies(journal);
    recorders.forEach(each -> zombies.ends.put(each, new TreeMap<>()));
    database.query(
        """
        SELECT recorder, to_epoch, reason, (extract(epoch FROM at) * 1000)::bigint
        FROM recorder.takeovers ORDER BY id""",
        row -> {
          long grace = row.getString(3).equals("silent") ? 0 : LEASE_MILLIS;
          zombies.takeovers += row.getString(3).equals("start") ? 0 : 1;
          return zombies.ends.get(row.getString(1)).put(row.getLong(2), row.getLong(4) + grace);
        });
    return zombies;
  }

  /** Number of changes of the active machine. */
  int takeovers() {
    return takeovers;
  }

  long puts(List<S3Traffic.SlotPut> puts, FaultyHosts hosts) {
    return puts.stream().filter(put -> isLate(put, hosts)).count();
  }

  long settles(SettleJournal settles) throws SQLException {
    long count = 0;
    for (SettleJournal.Settle settle : settles.settles()) {
      if (!settle.machine().equals(settle.holder())) {
        journal.blame("settled by another than the holder: %s", settle);
        count++;
      }
    }
    return count;
  }

  private boolean isLate(S3Traffic.SlotPut put, FaultyHosts hosts) {
    Map.Entry<Long, Long> end = ends.get(put.recorder()).higherEntry(put.epoch());
    if (end == null || put.signed() * 1_000 <= end.getValue()) {
      return false;
    }
    if (hosts.thawedJustBefore(put.writer(), put.arrivedMillis(), UNDER_WAY_MILLIS)) {
      journal.say("under way when its writer froze: %s", put);
      return false;
    }
    journal.blame(
        "began %d ms after its term had ended: %s", put.signed() * 1_000 - end.getValue(), put);
    return true;
  }
}
