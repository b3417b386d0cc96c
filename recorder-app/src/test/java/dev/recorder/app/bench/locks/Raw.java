package dev.recorder.app.bench.locks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/** What the locks are made of, called as directly as the drivers allow. */
final class Raw {
  static final List<String> ROWS = IntStream.range(0, 64).mapToObj(n -> "row-" + n).toList();

  private static final String RELEASE =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

  private Raw() {}

  /** Two calls of the driver. */
  static Contestant advisory(LockServers servers) {
    return new Opener(
        "two advisory calls",
        opener -> {
          Connection connection = opener.keep(servers.database().connect());
          PreparedStatement take = connection.prepareStatement("SELECT pg_try_advisory_lock(?)");
          PreparedStatement give = connection.prepareStatement("SELECT pg_advisory_unlock(?)");
          return () -> {
            call(take);
            call(give);
          };
        });
  }

  private static void call(PreparedStatement statement) throws SQLException {
    statement.setLong(1, 4711);
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      if (!row.getBoolean(1)) {
        throw new AssertionError("not granted");
      }
    }
  }

  /** Two updates of one row by its key. */
  static Contestant twoUpdates(LockServers servers) {
    return updates("two updates", servers, 2);
  }

  /** One update of a row, by turns. */
  static Contestant oneUpdate(LockServers servers) {
    return updates("one update", servers, 1);
  }

  private static Contestant updates(String name, LockServers servers, int times) {
    return new Opener(
        name,
        opener -> {
          Connection connection = opener.keep(servers.database().connect());
          PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE bare SET taken = NOT taken, owner = ?, at = clock_timestamp()"
                      + " WHERE id = ?");
          int[] turn = {0};
          return () -> {
            for (int i = 0; i < times; i++) {
              update.setString(1, "bench");
              update.setString(2, ROWS.get(times == 1 ? turn[0]++ % ROWS.size() : 0));
              update.executeUpdate();
            }
          };
        });
  }

  /** SET NX PX, and a script that deletes what is still its own. */
  static Contestant redis(LockServers servers) {
    return new Opener(
        "SET NX and a script",
        opener -> {
          Jedis jedis = opener.keep(new Jedis("127.0.0.1", servers.redis().port()));
          String sha = jedis.scriptLoad(RELEASE);
          SetParams once = SetParams.setParams().nx().px(15_000);
          return () -> {
            String value = UUID.randomUUID().toString();
            jedis.set("raw", value, once);
            jedis.evalsha(sha, List.of("raw"), List.of(value));
          };
        });
  }
}
