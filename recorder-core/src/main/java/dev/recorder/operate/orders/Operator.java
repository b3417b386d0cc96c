package dev.recorder.operate.orders;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * The operator behind an order.
 *
 * @param osUser the user of the operating system, as stated by the command
 * @param dbUser the role of the session, as the server saw it
 * @param client the address of the session, as the server saw it; {@code local} for a socket
 */
public record Operator(String osUser, String dbUser, String client) {
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");
  private static final int LONGEST_USER = 200;

  public Operator {
    osUser = plain(osUser);
    dbUser = plain(dbUser);
    client = plain(client);
  }

  /** Reads an operator from the columns {@code os_user}, {@code asked_by} and {@code client}. */
  static Operator of(ResultSet row) throws SQLException {
    return new Operator(
        row.getString("os_user"), row.getString("asked_by"), row.getString("client"));
  }

  @Override
  public String toString() {
    return "%s (database user %s, from %s)".formatted(osUser, dbUser, client);
  }

  /** Cuts a name that is too long for its column. */
  static String cut(String osUser) {
    String plain = plain(osUser);
    return plain.substring(0, Math.min(LONGEST_USER, plain.length()));
  }

  /** Puts text of others on one line, so that it cannot begin a line of its own. */
  static String plain(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }
}
