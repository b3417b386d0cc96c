package dev.recorder.operate;

import java.util.regex.Pattern;

/**
 * That a machine read its configuration file again, as it took it from the database.
 *
 * @param dryRun whether only to say what would happen
 * @param file the file that is meant, on the machine's host, as the operator named it
 * @param by who asked
 */
public record ReloadOrder(long id, boolean dryRun, String file, Asker by)
    implements MachineOrders.Numbered {

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
