package dev.recorder.postgres;

import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.socket.TlsDiagnosis;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/** Opens sessions with the driver. */
final class DriverSource implements ConnectionSource {
  /** All values are passed as properties, since a name in a URL could contain options. */
  private static final String URL = "jdbc:postgresql://";

  private final DatabaseSettings settings;

  DriverSource(DatabaseSettings settings) {
    this.settings = settings;
  }

  @Override
  public Connection connect(String applicationName, Map<String, String> more) throws SQLException {
    Connection connection;
    try {
      connection = login(applicationName, more);
    } catch (SQLException e) {
      boolean refused = SqlStates.isLoginRefused(e);
      String remedy =
          refused
              ? settings.passwords().remedy()
              : TlsDiagnosis.remedy(e, settings.host(), settings.sslmode());
      if (remedy == null) {
        throw e;
      }
      throw new DatabaseException(
          refused ? DatabaseErrorKind.RIGHTS : DatabaseErrorKind.UNUSABLE,
          "cannot connect to " + settings + ": " + SqlStates.describe(e) + "; " + remedy,
          e);
    }
    if (connection == null) {
      throw new DatabaseException(
          DatabaseErrorKind.UNUSABLE, "not a PostgreSQL address: " + settings);
    }
    return connection;
  }

  /** Logs in. If the login is refused and the password has just changed, tries once more. */
  private @Nullable Connection login(String applicationName, Map<String, String> more)
      throws SQLException {
    String password = settings.password();
    try {
      return login(applicationName, password, more);
    } catch (SQLException e) {
      String changed = SqlStates.isLoginRefused(e) ? settings.password() : password;
      if (Objects.equals(changed, password)) {
        throw e;
      }
      return login(applicationName, changed, more);
    }
  }

  private @Nullable Connection login(
      String applicationName, @Nullable String password, Map<String, String> more)
      throws SQLException {
    Properties properties = properties(applicationName);
    put(properties, "password", password);
    properties.putAll(more);
    LoginBackoff logins = LoginBackoff.of(settings);
    long begun = logins.begin(password);
    try {
      Connection connection = new Driver().connect(URL, properties);
      logins.granted();
      return connection;
    } catch (SQLException e) {
      if (SqlStates.isLoginRefused(e)) {
        logins.refused(begun, password, e);
      }
      throw e;
    }
  }

  private Properties properties(String applicationName) {
    Properties properties = new Properties();
    properties.setProperty("PGHOST", withoutBrackets(settings.host()));
    properties.setProperty("PGPORT", Integer.toString(settings.port()));
    properties.setProperty("PGDBNAME", settings.database());
    properties.setProperty("user", settings.user());
    put(properties, "sslmode", settings.sslmode());
    put(properties, "sslrootcert", settings.sslrootcert());
    properties.setProperty("ApplicationName", applicationName);
    // With this the driver sends the name in its first packet, so that servers and proxies can
    // identify a session that hangs while it is opened.
    properties.setProperty("assumeMinServerVersion", Integer.toString(Sessions.OLDEST_VERSION));
    // Whole seconds, for the handshake only; the session sets its own limit afterwards.
    String seconds = Long.toString(Math.max(1, settings.networkTimeout().toSeconds()));
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("socketTimeout", seconds);
    properties.setProperty("cancelSignalTimeout", "1");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("stringtype", "unspecified");
    return properties;
  }

  /** Removes the brackets around an IPv6 address, which belong to URLs only. */
  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static void put(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }

  @Override
  public String reachedAs() {
    return settings.reachedAs();
  }

  @Override
  public String toString() {
    return settings.toString();
  }
}
