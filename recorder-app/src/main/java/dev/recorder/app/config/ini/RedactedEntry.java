package dev.recorder.app.config.ini;

import dev.recorder.app.config.value.Secret;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a finding may repeat of the file. A password may be in an unexpected place: in a
 * pasted URL, or on a line of its own where a long one was wrapped. Pure.
 */
final class RedactedEntry {
  private static final int CHARACTERS = 80;

  private static final Pattern MAY_HOLD_A_PASSWORD =
      Pattern.compile("@|://|passw|pwd", Pattern.CASE_INSENSITIVE);

  /** An HTTP URL has its password before an @, or in its query. */
  private static final Pattern ADDRESS_WITH_MORE = Pattern.compile("[@?]");

  /** Generated keys mix cases, or have {@link #PADDING}. */
  private static final Pattern LIKE_A_KEY =
      Pattern.compile("(?=.{1,32}$)([a-z][a-z0-9_-]*|[A-Z][A-Z0-9_-]*)");

  /** The rest of a wrapped end of Base64 or Base32, behind its first =. */
  private static final Pattern PADDING = Pattern.compile("[= \\t]*");

  private RedactedEntry() {}

  /** The value for a finding that refuses it. */
  static String value(Setting<?> setting, String written) {
    Pattern doubtful = setting.type() == URI.class ? ADDRESS_WITH_MORE : MAY_HOLD_A_PASSWORD;
    boolean secret = setting.type() == Secret.class || doubtful.matcher(written).find();
    return secret ? Secret.MASK : cut(written);
  }

  /**
   * The key for a finding.
   *
   * @param value behind the =; null if it is broken, and so not just padding
   */
  static String key(String written, @Nullable String value) {
    boolean end = value != null && PADDING.matcher(value).matches();
    return LIKE_A_KEY.matcher(written).matches() && !end ? written : Secret.MASK;
  }

  private static String cut(String text) {
    return text.length() <= CHARACTERS ? text : text.substring(0, CHARACTERS) + "…";
  }
}
