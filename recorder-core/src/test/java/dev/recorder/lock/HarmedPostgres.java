package dev.recorder.lock;

import dev.recorder.lock.LossSite.Undo;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.SQLException;

/** A PostgreSQL server that may be harmed, for all tests of this JVM, and a way to it for one. */
final class HarmedPostgres implements AutoCloseable {
  /** For one class at a time. */
  static final String ALONE = "the server that is harmed";

  private final TcpProxy proxy = TcpProxy.to(Server.DATABASE.server().port());

  /** Of the holder that is harmed. */
  static final String HOLDER = "holder";

  /** One that nobody else uses: it is ended, and stopped. */
  private static final class Server {
    static final TestDatabase DATABASE;

    static {
      try {
        DATABASE = TestDatabase.createOn(PostgresServer.start(), TestDatabase.ROLE);
        LockSites.create(DATABASE);
      } catch (SQLException e) {
        throw new AssertionError(e);
      }
    }
  }

  TestDatabase database() {
    return Server.DATABASE;
  }

  TcpProxy proxy() {
    return proxy;
  }

  /** By way of what may be cut. */
  Sessions holder() {
    return LockSites.sessions(Server.DATABASE, HOLDER, proxy.port());
  }

  /** The same, with more patience with a server that does not answer. */
  Sessions patientHolder() {
    return LockSites.sessions(Server.DATABASE.name(), HOLDER, proxy.port());
  }

  /** The same, with somewhat more. */
  Sessions unhurriedHolder() {
    return new Sessions(TestSettings.unhurried(Server.DATABASE, proxy.port()), HOLDER);
  }

  Sessions other() {
    return LockSites.sessions(Server.DATABASE, "other", Server.DATABASE.server().port());
  }

  /** What is the same for all kinds. */
  Undo harm(Harm harm) throws SQLException {
    return switch (harm) {
      case SESSION_ENDED -> {
        LockSites.terminate(Server.DATABASE, HOLDER);
        yield Undo.NOTHING;
      }
      case SERVER_RESTARTED -> {
        Server.DATABASE.server().restart();
        yield Undo.NOTHING;
      }
      case SERVER_FROZEN -> {
        Server.DATABASE.server().freeze();
        yield Server.DATABASE.server()::thaw;
      }
      case NETWORK_CUT -> {
        proxy.cut();
        yield proxy::heal;
      }
      case CONNECTIONS_REFUSED -> {
        proxy.refuseNew();
        proxy.reset();
        yield proxy::heal;
      }
      case FORCED,
          DELETED,
          OVERWRITTEN,
          ONE_RENEWAL_FAILED,
          SERVERS_CLOCK_AHEAD,
          HOLDERS_CLOCK_AHEAD,
          HOLDERS_CLOCK_STOPPED ->
          throw new IllegalArgumentException("not of all kinds: " + harm);
    };
  }

  @Override
  public void close() {
    proxy.close();
  }
}
