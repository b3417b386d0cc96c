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
 * The identity of a database, to tell which database wrote a slot or an object.
 *
 * @param name the address by which hosts reach it: endpoint, port and database
 * @param system the server's system identifier; physical copies share it, a new cluster has its
 *     own; 0 if the role may not read it
 * @param oid the database's OID, which its server never gives to another database
 * @param timeline the server's timeline, which changes with each promotion and each recovery to an
 *     earlier time; 0 if the server does not report it
 */
public record DatabaseIdentity(String name, long system, long oid, long timeline) {
  private static final char ESCAPE = '%';
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern TEXT = Pattern.compile("(-?\\d{1,19})/(\\d{1,10})/(\\d{1,10}) (.*)");

  /** Returns whether both are the same database, possibly on different timelines. */
  public boolean isSameDatabase(DatabaseIdentity other) {
    return name.equals(other.name) && system == other.system && oid == other.oid;
  }

  /**
   * Returns whether {@code other} is the same database on a later timeline: its server has taken
   * over from this one.
   */
  public boolean isBefore(@Nullable DatabaseIdentity other) {
    return other != null && isSameDatabase(other) && timeline < other.timeline;
  }

  /**
   * Returns this identity without a timeline. It is pinned in this form until the database has
   * settled a slot of its own.
   */
  public DatabaseIdentity beforeItsFirstSlot() {
    return new DatabaseIdentity(name, system, oid, 0);
  }

  /** Returns the name, system identifier and OID for messages. */
  public String described() {
    return name + " (system identifier " + system + ", oid " + oid + ")";
  }

  /** Returns the ASCII form that recorders' rows and the metadata of objects have. */
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

  /** Reads one identity per line, and skips malformed lines. */
  public static List<DatabaseIdentity> parseLines(String lines) {
    return lines.lines().map(DatabaseIdentity::parse).flatMap(Optional::stream).toList();
  }

  /** Reads the form of {@link #text}. Returns empty for any other text. */
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
