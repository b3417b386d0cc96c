package dev.recorder.handoff;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which database something was written from.
 *
 * @param name as its hosts reach it: endpoint, port and database
 * @param system the server's system identifier, which physical copies share and a new cluster has
 *     for itself; 0 if the role may not know it
 * @param oid the database's, which no other of its server ever has
 * @param timeline the server's, another one after each promotion and each recovery to an earlier
 *     time; 0 where the server does not tell it
 */
public record DatabaseIdentity(String name, long system, long oid, long timeline) {
  private static final char ESCAPE = '%';
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern TEXT = Pattern.compile("(-?\\d{1,19})/(\\d{1,10})/(\\d{1,10}) (.*)");

  /** Whether it is the same database, perhaps on another timeline. */
  public boolean isSameDatabase(DatabaseIdentity other) {
    return name.equals(other.name) && system == other.system && oid == other.oid;
  }

  /** Whether another server of the same database has taken over from this one, as it says. */
  public boolean isBefore(@Nullable DatabaseIdentity other) {
    return other != null && isSameDatabase(other) && timeline < other.timeline;
  }

  /** As it is pinned until it has settled a slot of its own: on no timeline. */
  public DatabaseIdentity beforeItsFirstSlot() {
    return new DatabaseIdentity(name, system, oid, 0);
  }

  /** For people. */
  public String described() {
    return name + " (system identifier " + system + ", oid " + oid + ")";
  }

  /** In ASCII, as it stands in a recorder's row and in the metadata of objects. */
  public String text() {
    return system + "/" + oid + "/" + timeline + " " + encoded(name);
  }

  private static String encoded(String name) {
    StringBuilder text = new StringBuilder();
    for (byte each : name.getBytes(UTF_8)) {
      boolean plain = each > ' ' && each < 0x7f && each != ESCAPE;
      text.append(plain ? String.valueOf((char) each) : "%" + HEX.toHexDigits(each));
    }
    return text.toString();
  }

  private static String decoded(String text) {
    ByteArrayOutputStream name = new ByteArrayOutputStream();
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) == ESCAPE) {
        name.write(HexFormat.fromHexDigits(text, at + 1, at + 3));
        at += 2;
      } else {
        name.write(text.charAt(at));
      }
    }
    return name.toString(UTF_8);
  }

  /** Reads several, a line each; without those that are none. */
  public static List<DatabaseIdentity> parseLines(String lines) {
    return lines.lines().map(DatabaseIdentity::parse).flatMap(Optional::stream).toList();
  }

  /** Reads what {@link #text} gave; empty if it is anything else. */
  public static Optional<DatabaseIdentity> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new DatabaseIdentity(
              decoded(parts.group(4)),
              Long.parseLong(parts.group(1)),
              Long.parseLong(parts.group(2)),
              Long.parseLong(parts.group(3))));
    } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
      return Optional.empty();
    }
  }
}
