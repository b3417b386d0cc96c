package dev.recorder.app.config.ini;

import dev.recorder.app.config.value.Secret;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which text of the file a finding may repeat. A password may be in an unexpected place: in
 * a pasted URL, or on a line of its own if a long password was wrapped. Pure.
 */
final class RedactedEntry {
  private static final int CHARACTERS = 80;

  private static final Pattern MAY_HOLD_A_PASSWORD =
      Pattern.compile("@|://|passw|pwd", Pattern.CASE_INSENSITIVE);

  /** An HTTP URL may have a password before an @, or in its query. */
  private static final Pattern ADDRESS_WITH_MORE = Pattern.compile("[@?]");

  /** Matches only keys in one case: generated passwords mix cases, or end in {@link #PADDING}. */
  private static final Pattern LIKE_A_KEY =
      Pattern.compile("(?=.{1,32}$)([a-z][a-z0-9_-]*|[A-Z][A-Z0-9_-]*)");

  /** The text after the first = at the end of a wrapped Base64 or Base32 password. */
  private static final Pattern PADDING = Pattern.compile("[= \\t]*");

  private RedactedEntry() {}

  /** Returns the text for the value in a finding that refuses it. */
  static String value(Setting<?> setting, String written) {
    Pattern doubtful = setting.type() == URI.class ? ADDRESS_WITH_MORE : MAY_HOLD_A_PASSWORD;
    boolean secret = setting.type() == Secret.class || doubtful.matcher(written).find();
    return secret ? Secret.MASK : cut(written);
  }

  /**
   * Returns the text for the key in a finding.
   *
   * @param value the text after the =; null if it is broken, and therefore more than padding
   */
  static String key(String written, @Nullable String value) {
    boolean end = value != null && PADDING.matcher(value).matches();
    return LIKE_A_KEY.matcher(written).matches() && !end ? written : Secret.MASK;
  }

  private static String cut(String text) {
    return text.length() <= CHARACTERS ? text : text.substring(0, CHARACTERS) + "…";
  }
}
