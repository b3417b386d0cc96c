package dev.recorder.lock;

import dev.recorder.lock.LockKind.Client;
import dev.recorder.lock.LockKind.Servers;
import dev.recorder.postgres.LockSites;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;

/**
 * A process that takes a lock again and again, and notes in a table when it goes in and out.
 * Arguments: kind, port and name of the database, port of Redis, worker, name of the lock, how
 * often. Says how long it has waited at most, in milliseconds.
 */
final class Contender {
  /** Who is inside, how often two were, and whether a token came that was not greater. */
  static final String TABLE =
      """
      CREATE TABLE critical (
        name text PRIMARY KEY, inside int DEFAULT 0, entries int DEFAULT 0, clashes int DEFAULT 0,
        disorder int DEFAULT 0, last_token bigint DEFAULT 0, begun timestamptz,
        last_entry timestamptz)""";

  private static final String ENTER =
      """
      UPDATE critical SET inside = inside + 1, entries = entries + 1,
        clashes = clashes + (inside > 0)::int, disorder = disorder + (last_token >= ?)::int,
        last_token = ?, last_entry = clock_timestamp() WHERE name = ?""";

  private static final String LEAVE = "UPDATE critical SET inside = inside - 1 WHERE name = ?";

  /** A turn comes after 150 others at most. If it does not, who had the lock has died with it. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private Contender() {}

  public static void main(String[] arguments) throws Exception {
    LockKind kind = LockKind.valueOf(arguments[0]);
    Servers servers =
        new Servers(Integer.parseInt(arguments[1]), arguments[2], Integer.parseInt(arguments[3]));
    String name = arguments[5];
    int rounds = Integer.parseInt(arguments[6]);
    long longest = 0;
    try (Client client = kind.open(servers, arguments[4], Instruments.PLAIN);
        Connection table = LockSites.connect(servers.database(), servers.postgres());
        PreparedStatement enter = table.prepareStatement(ENTER);
        PreparedStatement leave = table.prepareStatement(LEAVE)) {
      DistributedLock lock = client.lock(name);
      System.out.println("ready");
      System.in.read();
      for (int round = 0; round < rounds; round++) {
        long asked = System.nanoTime();
        try (Lease lease = lock.tryAcquire(LONGEST).orElseThrow()) {
          longest = Math.max(longest, System.nanoTime() - asked);
          enter.setLong(1, lease.token());
          enter.setLong(2, lease.token());
          enter.setString(3, name);
          enter.executeUpdate();
          leave.setString(1, name);
          leave.executeUpdate();
          lease.complete();
        }
      }
    }
    System.out.println(Duration.ofNanos(longest).toMillis());
  }
}
