package dev.recorder.operate;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;

/**
 * What an operator has ordered of a machine, as that took it from the database.
 *
 * @param recorder which one it is about; empty if it is about all
 * @param argument as in {@link OrderRequest}
 * @param by who asked
 */
public record MachineOrder(long id, OrderKind kind, String recorder, String argument, Asker by) {

  /** Columns of an order's row {@code o}, for {@link #of}. */
  static final String COLUMNS =
      """
      o.id, o.kind, o.recorder, o.argument, o.asked_by,
        coalesce(host(o.client_addr), 'local') AS client, o.os_user""";

  static MachineOrder of(ResultSet row) throws SQLException {
    return new MachineOrder(
        row.getLong("id"),
        OrderKind.named(row.getString("kind")),
        row.getString("recorder"),
        row.getString("argument"),
        new Asker(row.getString("asked_by"), row.getString("client"), row.getString("os_user")));
  }

  /**
   * Who asked.
   *
   * @param role the role of their database session, as the server saw it
   * @param address where that session came from, as the server saw it; {@code local} for a socket
   * @param osUser the user of the operating system, as they stated it
   */
  public record Asker(String role, String address, String osUser) {
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

    /** In words, on one line. */
    @Override
    public String toString() {
      return "role %s from %s, who states to be OS user %s"
          .formatted(plain(role), plain(address), plain(osUser));
    }

    /** What others wrote must not begin a line of its own in a log. */
    private static String plain(String text) {
      return UNPRINTABLE.matcher(text).replaceAll("?");
    }
  }
}
