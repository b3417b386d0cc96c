package dev.recorder.testing.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.testing.network.PostgresProxy.Purpose;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

@Timeout(300)
class PostgresProxyIT {
  private final PostgresProxy proxy = PostgresProxy.to(PostgresServer.shared().port());
  private Connection control;
  private Connection data;

  @BeforeEach
  void connect() throws SQLException {
    control = connect("recorder/host-a/control");
    data = connect("recorder/host-a/data");
  }

  @AfterEach
  void close() throws SQLException {
    control.abort(Runnable::run);
    data.abort(Runnable::run);
    proxy.close();
  }

  @Test
  void tellsSessionsApartByWhatTheyAreFor() throws SQLException {
    connect("psql").close();

    assertThat(proxy.sessions(Purpose.CONTROL).connections()).isEqualTo(1);
    assertThat(proxy.sessions(Purpose.DATA).connections()).isEqualTo(1);
    assertThat(proxy.sessions(Purpose.LISTEN).connections()).isZero();
    assertThat(proxy.sessions(Purpose.OTHER).bytesToTarget()).isPositive();
  }

  @Test
  void cutsTheSessionsOfOnePurposeAndThoseThatFollow() throws SQLException {
    proxy.sessions(Purpose.DATA).cut();

    assertThatThrownBy(() -> ask(data)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> connect("recorder/host-a/data")).isInstanceOf(SQLException.class);
    assertThat(ask(control)).isEqualTo("recorder/host-a/control");
    connect("recorder/host-a/listen").close();

    proxy.heal();
    connect("recorder/host-a/data").close();
  }

  @Test
  void refusesTheSessionsOfOnePurpose() throws SQLException {
    proxy.sessions(Purpose.CONTROL).refuseNew();
    proxy.sessions(Purpose.CONTROL).reset();

    assertThatThrownBy(() -> ask(control)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> connect("recorder/host-a/control")).isInstanceOf(SQLException.class);
    assertThat(ask(data)).isEqualTo("recorder/host-a/data");
  }

  @Test
  void oneWayIsCutForTheFirstPacketToo() throws SQLException {
    proxy.all().pauseToTarget();

    assertThatThrownBy(() -> connect("recorder/host-a/data")).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> ask(control)).isInstanceOf(SQLException.class);
    proxy.heal();
    connect("recorder/host-a/control").close();
  }

  @Test
  void anEndedSessionEndsOnTheOtherSide() throws SQLException {
    try (Connection admin = PostgresServer.shared().connectAsSuperuser("postgres");
        Statement end = admin.createStatement()) {
      end.execute(
          "SELECT pg_terminate_backend("
              + data.unwrap(PGConnection.class).getBackendPID()
              + ", 10000)");
    }

    assertThatThrownBy(() -> ask(data)).hasMessageContaining("terminating connection");
    assertThat(ask(control)).isEqualTo("recorder/host-a/control");
  }

  private Connection connect(String applicationName) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", PostgresServer.SUPERUSER);
    properties.setProperty("ApplicationName", applicationName);
    properties.setProperty("assumeMinServerVersion", "14");
    properties.setProperty("socketTimeout", "1");
    return DriverManager.getConnection(
        PostgresServer.jdbcUrl("postgres", proxy.port()), properties);
  }

  private static String ask(Connection connection) throws SQLException {
    return TestDatabase.query(connection, "SHOW application_name", row -> row.getString(1)).get(0);
  }
}
