package dev.recorder.app.config.ini;

import dev.recorder.app.config.value.Secret;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a finding repeats of a file in which a password may stand where none belongs: in an address
 * that was pasted, or on a line of its own, where a long one was wrapped. Pure.
 */
final class ShownEntry {
  private static final int CHARACTERS = 80;

  private static final Pattern MAY_HOLD_A_PASSWORD =
      Pattern.compile("@|://|passw|pwd", Pattern.CASE_INSENSITIVE);

  /** An address of HTTP has its password before an @, or in its query. */
  private static final Pattern ADDRESS_WITH_MORE = Pattern.compile("[@?]");

  /** What is generated mixes cases, or has {@link #PADDING}. */
  private static final Pattern LIKE_A_KEY =
      Pattern.compile("(?=.{1,32}$)([a-z][a-z0-9_-]*|[A-Z][A-Z0-9_-]*)");

  /** What follows the first = of a wrapped end of Base64 or Base32. */
  private static final Pattern PADDING = Pattern.compile("[= \\t]*");

  private ShownEntry() {}

  /** A value that is refused. */
  static String value(Setting<?> setting, String written) {
    Pattern doubtful = setting.type() == URI.class ? ADDRESS_WITH_MORE : MAY_HOLD_A_PASSWORD;
    boolean secret = setting.type() == Secret.class || doubtful.matcher(written).find();
    return secret ? Secret.MASK : cut(written);
  }

  /**
   * What stands before the first = of a line.
   *
   * @param value behind it; null if it is broken, and so more than padding
   */
  static String key(String written, @Nullable String value) {
    boolean end = value != null && PADDING.matcher(value).matches();
    return LIKE_A_KEY.matcher(written).matches() && !end ? written : Secret.MASK;
  }

  private static String cut(String text) {
    return text.length() <= CHARACTERS ? text : text.substring(0, CHARACTERS) + "…";
  }
}
