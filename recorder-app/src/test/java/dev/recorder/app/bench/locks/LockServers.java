package dev.recorder.app.bench.locks;

import dev.recorder.app.bench.Machinery;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.RedisServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** A durable database with the tables of locks, and a Redis. */
record LockServers(PostgresServer postgres, TestDatabase database, RedisServer redis)
    implements AutoCloseable {

  static LockServers start() throws SQLException {
    PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
    TestDatabase database = TestDatabase.createOn(postgres, TestDatabase.ROLE);
    // The one that the product prints, run as the role that owns the database.
    database.execute(
        new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of()),
        "CREATE TABLE bare (id text PRIMARY KEY, taken boolean NOT NULL, owner text, at timestamptz)",
        "INSERT INTO bare SELECT 'row-' || n, false FROM generate_series(0, 63) n",
        "GRANT ALL ON bare TO PUBLIC");
    return new LockServers(postgres, database, RedisServer.start());
  }

  Sessions sessions(String worker) {
    return new Sessions(TestSettings.of(database), worker);
  }

  @Override
  public void close() throws IOException {
    redis.close();
    postgres.close();
  }
}
