package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.settings.SessionKind;
import dev.recorder.postgres.settings.SessionSettings;
import dev.recorder.postgres.socket.IdleWatch;
import dev.recorder.testing.OddDefaults;
import dev.recorder.testing.network.GreetingTap;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that recorders cannot work with are told apart, at the first connection. */
class SessionsIT {
  private TestDatabase database;

  @BeforeEach
  void createDatabase() throws SQLException {
    database = TestDatabase.create();
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    database.close();
  }

  @Test
  void aServerOlderThan14IsRefused() throws Exception {
    String own = one(database, "SELECT current_setting('server_version')");
    String old = "13" + own.substring(2);
    try (GreetingTap tap = GreetingTap.ofVersion(database.server().port(), own, old)) {
      assertRefused(
          TestSessions.of(database, "one", tap.port()),
          DatabaseErrorKind.UNUSABLE,
          "PostgreSQL 13 at recorder@127.0.0.1:" + tap.port(),
          "is too old: 14 or newer is needed");
    }
    try (GreetingTap tap =
        GreetingTap.ofVersion(database.server().port(), own, "14" + own.substring(2))) {
      TestSessions.of(database, "one", tap.port()).openData().close();
    }
  }

  @Test
  void aStandbyServerIsRefused() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        TestDatabase copy = TestDatabase.createOn(server, PostgresServer.SUPERUSER)) {
      Path data = Path.of(one(copy, "SHOW data_directory"));
      Files.createFile(data.resolve("standby.signal"));
      server.restart();
      assertRefused(
          TestSessions.patient(copy, "one"),
          DatabaseErrorKind.UNUSABLE,
          "is a standby server (read-only); give the primary's endpoint");
      assertThatThrownBy(() -> TestSessions.patient(copy, "one").openData())
          .as("as while two servers change their roles")
          .isInstanceOfSatisfying(
              DatabaseException.class, e -> assertThat(e.mayPassSoon()).isTrue());
      Files.delete(data.resolve("standby.signal"));
      server.restart();
    }
  }

  /** As somebody leaves it who has loaded a dump. */
  @Test
  void aRoleWhoseSessionsRunNoTriggersIsRefused() throws Exception {
    database.execute(
        "ALTER DATABASE " + database.name() + " SET session_replication_role = replica");

    assertRefused(
        TestSessions.patient(database, "one"),
        DatabaseErrorKind.UNREACHABLE,
        "have session_replication_role = replica",
        "ALTER ROLE ... RESET session_replication_role");
  }

  /** As an administrator has it who moves a database, and takes it back. */
  @Test
  void whereNothingMayBeWrittenMachinesWaitAndWhoOnlyReadsDoesSo() throws Exception {
    database.execute(
        "ALTER DATABASE " + database.name() + " SET default_transaction_read_only = on");
    Sessions sessions = TestSessions.patient(database, "one");

    assertThatThrownBy(sessions::openControl)
        .isInstanceOfSatisfying(
            DatabaseException.class,
            e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(DatabaseErrorKind.UNREACHABLE))
        .hasMessageContaining("read-only, by default_transaction_read_only of the role");
    try (Connection query = sessions.openForQueries();
        Statement statement = query.createStatement()) {
      assertThatThrownBy(() -> statement.execute("CREATE TABLE public.any (id integer)"))
          .isInstanceOfSatisfying(
              SQLException.class,
              e ->
                  assertThat(DatabaseException.of(e))
                      .hasMessageContaining("reset it where it was set"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SQL_ASCII", "WIN1252", "LATIN1"})
  void aDatabaseWhoseTextIsNotUtf8IsRefused(String encoding) throws Exception {
    database
        .server()
        .execute(
            "CREATE DATABASE no_text ENCODING '" + encoding + "' LOCALE 'C' TEMPLATE template0");
    try {
      Sessions sessions = new Sessions(TestSettings.neighbour("no_text", database), "one");
      assertRefused(
          sessions,
          DatabaseErrorKind.UNUSABLE,
          "has the encoding " + encoding,
          "with encoding UTF8");
    } finally {
      database.server().execute("DROP DATABASE no_text WITH (FORCE)");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a/b", "a b", "it's", "\"quoted\"", "größe", "100%41", "a&b=c#d", "x,y:z", "?"})
  void aDatabaseMayHaveAnyName(String name) throws Exception {
    String quoted = '"' + name.replace("\"", "\"\"") + '"';
    database.server().execute("CREATE DATABASE " + quoted);
    try (Connection connection =
            new Sessions(TestSettings.neighbour(name, database), "one").openForQueries();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_database()")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo(name);
    } finally {
      database.server().execute("DROP DATABASE " + quoted + " WITH (FORCE)");
    }
  }

  @Test
  void noOptionCanStandInADatabasesName() {
    DatabaseSettings plain = TestSettings.neighbour("app?sslmode=disable&user=x", database);
    Sessions verifying =
        new Sessions(
            DatabaseSettings.of(plain.host(), plain.database(), plain.user())
                .port(plain.port())
                .password(plain.password())
                .sslmode("verify-full")
                .networkTimeout(plain.networkTimeout())
                .idleLimit(plain.idleLimit())
                .build(),
            "one");
    assertRefused(
        verifying,
        DatabaseErrorKind.UNUSABLE,
        "The server does not support SSL",
        "sslmode = verify-full demands TLS, which this server does not offer: ",
        "set ssl = on at the server, or choose another sslmode in [postgredb]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"::1", "[::1]"})
  void anAddressMayBeOneOfIpVersion6(String address) throws Exception {
    try (PostgresServer server = PostgresServer.builder().set("listen_addresses", "*").start()) {
      TestDatabase own = TestDatabase.createOn(server, PostgresServer.SUPERUSER);
      DatabaseSettings v4 = TestSettings.of(own);
      DatabaseSettings v6 =
          DatabaseSettings.of(address, v4.database(), v4.user())
              .port(v4.port())
              .password(v4.password())
              .networkTimeout(v4.networkTimeout())
              .idleLimit(v4.idleLimit())
              .build();
      try (Connection connection = new Sessions(v6, "one").openForQueries();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("SELECT host(inet_client_addr())")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("::1");
      }
    }
  }

  @Test
  void whatTheTableSaysIsWhatASessionHasWhateverItsDatabaseWasGiven() throws Exception {
    OddDefaults.giveTo(database);
    Sessions sessions = TestSessions.of(database, "one");
    Duration own = Duration.ofSeconds(7);
    Map<SessionKind, Connection> open = new EnumMap<>(SessionKind.class);
    try {
      open.put(SessionKind.CONTROL, sessions.openControl());
      open.put(SessionKind.DATA, sessions.openData());
      open.put(SessionKind.WORKER, sessions.openWorker(own));
      open.put(SessionKind.DOCUMENT, sessions.openForDocuments());
      open.put(SessionKind.LISTEN, sessions.openListen());
      open.put(SessionKind.PEER, sessions.openPeer());
      open.put(SessionKind.LOCKS, sessions.openLocks(own, new IdleWatch(() -> {}, () -> {})));
      open.put(SessionKind.LOCK_ROWS, sessions.openLockRows());
      open.put(SessionKind.QUERY, sessions.openForQueries(own));
      open.put(SessionKind.ASK, sessions.openForAnswers(own, sessions.networkTimeout()));
      open.put(SessionKind.REPLAY, sessions.openReplay());
      assertThat(open).hasSameSizeAs(SessionKind.values());
      for (Map.Entry<SessionKind, Connection> each : open.entrySet()) {
        Map<String, String> said =
            known(
                SessionSettings.of(
                        each.getKey(),
                        new SessionSettings.SessionLimits(
                            sessions.networkTimeout(), sessions.idleLimit(), own))
                    .values());
        assertThat(present(each.getValue(), said.keySet())).as("%s", each.getKey()).isEqualTo(said);
      }
    } finally {
      for (Connection connection : open.values()) {
        connection.close();
      }
    }
  }

  /** Without what this server has never heard of. */
  private Map<String, String> known(Map<String, String> said) throws SQLException {
    Map<String, String> known = new HashMap<>(said);
    known.keySet().retainAll(database.query("SELECT name FROM pg_settings", r -> r.getString(1)));
    return known;
  }

  @Test
  void aRolesLimitsEndNothingThatTakesItsTime() throws Exception {
    OddDefaults.giveTo(database);
    Sessions sessions = TestSessions.of(database, "one");
    try (Connection query = sessions.openForQueries();
        Connection replay = sessions.openReplay();
        Connection worker = sessions.openWorker(Duration.ofMinutes(1))) {
      for (Connection connection : List.of(query, replay, worker)) {
        try (Transaction transaction = Transaction.begin(connection);
            Statement statement = connection.createStatement()) {
          statement.execute("SELECT pg_sleep(0.6)");
          Thread.sleep(100); // Idle in a transaction, which the database allows for 1 ms.
          statement.execute("SELECT pg_sleep(0.6)");
          transaction.commit();
        }
      }
      try (Statement statement = query.createStatement()) {
        statement.execute("SELECT pg_sleep(1.2)");
      }
    }
  }

  /** Settings of a session, times without their unit. */
  private static Map<String, String> present(Connection connection, Set<String> names)
      throws SQLException {
    Map<String, String> values = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT name, setting FROM pg_settings WHERE name = ANY (?)")) {
      statement.setArray(1, connection.createArrayOf("text", names.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          values.put(row.getString(1), row.getString(2));
        }
      }
    }
    return values;
  }

  @Test
  void aRolesWeakDurabilityIsMadeStrongAndAStrongOneStays() throws Exception {
    assertThat(synchronousCommit("off")).isEqualTo("on");
    assertThat(synchronousCommit("local")).isEqualTo("on");
    assertThat(synchronousCommit("remote_apply")).isEqualTo("remote_apply");
  }

  private String synchronousCommit(String given) throws SQLException {
    database.execute("ALTER DATABASE " + database.name() + " SET synchronous_commit = " + given);
    try (Connection connection = TestSessions.of(database, "one").openData();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW synchronous_commit")) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void aPoolersOtherClientsKeepTheirSettings() throws Exception {
    int another = 1;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          SessionSettings.of(
                  SessionKind.DATA,
                  new SessionSettings.SessionLimits(
                      Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ZERO))
              .sql(another));
      assertThat(
              present(connection, Set.of("jit", "enable_sort", "client_connection_check_interval")))
          .containsEntry("enable_sort", "on")
          .containsEntry("client_connection_check_interval", "0");
    }
  }

  /**
   * As of roles that all work as the owner of an application's tables, and have no other rights.
   */
  @Test
  void aSessionHasTheRightsOfItsOwnRoleWhateverRoleItIsGiven() throws Exception {
    String login = "login_" + database.name();
    String given = "given_" + database.name();
    database.server().createRole(login, "first");
    database.server().execute("CREATE ROLE " + given);
    database.server().execute("GRANT " + given + " TO " + login);
    database.server().execute("ALTER ROLE " + login + " SET role = " + given);

    try (Connection data = withPassword(login, () -> "first").openData();
        Statement statement = data.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_user")) {
      row.next();
      assertThat(row.getString(1)).isEqualTo(login);
    }
  }

  @Test
  void aPasswordThatIsChangedIsUsedAtOnce() throws Exception {
    String role = "rotated_" + database.name();
    database.server().createRole(role, "first");
    AtomicReference<String> password = new AtomicReference<>("first");
    Sessions sessions = withPassword(role, password::get);
    sessions.openData().close();
    database.server().execute("ALTER ROLE " + role + " PASSWORD 'second'");

    for (int again = 1; again <= 3; again++) {
      assertRefused(sessions, DatabaseErrorKind.RIGHTS, "password authentication failed", "28P01");
      assertThatThrownBy(sessions::openLockRows).hasMessageContaining("28P01");
    }
    assertThat(database.server().log().lines())
        .filteredOn(line -> line.contains("authentication failed for user \"" + role + '"'))
        .as("logins in the seconds of the first pauses, of six that were asked for")
        .hasSizeBetween(1, 3);
    password.set("second");
    sessions.openControl().close();
    sessions.openData().close();
  }

  @Test
  void aPasswordThatIsChangedWhileItIsTriedIsTriedAgain() throws Exception {
    String role = "rotating_" + database.name();
    database.server().createRole(role, "second");
    Iterator<String> read = List.of("first", "second").iterator();

    withPassword(role, read::next).openControl().close();
  }

  private Sessions withPassword(String role, Passwords passwords) {
    DatabaseSettings usual = TestSettings.patient(database);
    return new Sessions(
        DatabaseSettings.of(usual.host(), usual.database(), role)
            .port(usual.port())
            .passwords(passwords)
            .networkTimeout(usual.networkTimeout())
            .idleLimit(usual.idleLimit())
            .build(),
        "one");
  }

  @Test
  void aRoleThatDoesNotExistIsAMatterOfRights() {
    assertRefused(
        TestSessions.of(database, "one", "nobody"),
        DatabaseErrorKind.RIGHTS,
        "nobody",
        "SQLSTATE 28");
  }

  private static void assertRefused(Sessions sessions, DatabaseErrorKind kind, String... said) {
    assertThatThrownBy(sessions::openControl)
        .isInstanceOfSatisfying(
            DatabaseException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(kind);
              assertThat(e.getMessage()).contains(said).doesNotContain(TestDatabase.PASSWORD);
            });
  }

  private static String one(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
