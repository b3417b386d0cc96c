package dev.recorder.lock.postgres;

import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import dev.recorder.postgres.sql.SqlStatement;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/**
 * Identifies a row lock: any text that PostgreSQL can hold, of 1 to {@value #LONGEST_NAME_BYTES}
 * bytes.
 */
public record RowName(String queue, String id) {
  static final String DEFAULT_QUEUE = "default";

  /**
   * The longest id or queue, in bytes of UTF-8. The columns allow as many characters, which fit
   * into an index in any encoding. A check constraint in the table would run at each acquire.
   */
  private static final int LONGEST_NAME_BYTES = 200;

  public RowName {
    check(queue, id);
  }

  public static void check(String queue, String id) {
    check("queue", queue, queue, id);
    check("id", id, queue, id);
  }

  private static void check(String what, String text, String queue, String id) {
    String fault = fault(text);
    if (!fault.isEmpty()) {
      throw new LockException(shown(queue, id), Kind.UNUSABLE, "its " + what + " " + fault);
    }
  }

  /** Returns why the text is not a valid name; empty if it is valid. */
  static String fault(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (text.isEmpty()) {
      return "is empty";
    } else if (bytes > LONGEST_NAME_BYTES) {
      return "is too long: " + bytes + " bytes, where " + LONGEST_NAME_BYTES + " are the most";
    } else if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      return "has a character that PostgreSQL cannot hold: U+0000, or half of a pair";
    }
    return "";
  }

  /** Sets {@code :queue} and {@code :id}. */
  public SqlStatement bind(SqlStatement statement) throws SQLException {
    return statement.set("queue", queue).set("id", id);
  }

  /** The name for people and metrics: the id, after its queue unless that is the default. */
  @Override
  public String toString() {
    return shown(queue, id);
  }

  private static String shown(String queue, String id) {
    return queue.equals(DEFAULT_QUEUE) ? id : queue + "/" + id;
  }
}
