package dev.recorder.app.http;

import dev.recorder.app.config.value.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who may read more than a status: with a token its bearer, as a bearer's or as any user's
 * password; without one whoever speaks to this host by an address of its own, so that no page of
 * another site can read it through a browser.
 */
final class AccessCheck {
  private static final Pattern OWN =
      Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?");

  private static final String BEARER = "bearer ";
  private static final String BASIC = "basic ";

  private final @Nullable Secret token;

  /** Without a token if that is null. */
  AccessCheck(@Nullable Secret token) {
    this.token = token;
  }

  /** Why the question is not answered; null if it is. */
  @Nullable Answer refusal(Question question) {
    if (token == null) {
      String host = question.host();
      boolean own = host != null && OWN.matcher(host.toLowerCase(Locale.ROOT)).matches();
      return own ? null : Answer.text(403, "ask by an address of this host: 127.0.0.1");
    }
    return isRight(given(question.authorization()), token)
        ? null
        : Answer.text(401, "a token is needed");
  }

  private static boolean isRight(String given, Secret token) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.reveal().getBytes(StandardCharsets.UTF_8));
  }

  /** The token that a request brings; empty if none. */
  private static String given(@Nullable String authorization) {
    String header = authorization == null ? "" : authorization;
    String scheme = header.toLowerCase(Locale.ROOT);
    if (scheme.startsWith(BEARER)) {
      return header.substring(BEARER.length()).strip();
    }
    return scheme.startsWith(BASIC) ? password(header.substring(BASIC.length()).strip()) : "";
  }

  private static String password(String encoded) {
    try {
      String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      return pair.substring(pair.indexOf(':') + 1);
    } catch (IllegalArgumentException notBase64) {
      return "";
    }
  }
}
