package dev.recorder.app.http;

import dev.recorder.app.config.value.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may read more than a status. With a token, a request must carry the token, as a
 * bearer token or as the password of any user. Without a token, the request's {@code Host} must be
 * an address of this host, so that a page of another site cannot read the answer through a browser.
 */
final class AccessCheck {
  private static final Pattern OWN =
      Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?");

  private static final String BEARER = "bearer ";
  private static final String BASIC = "basic ";

  private final @Nullable Secret token;

  /**
   * Creates the check.
   *
   * @param token null for a port without a token
   */
  AccessCheck(@Nullable Secret token) {
    this.token = token;
  }

  /** Returns the answer that refuses the request; null if the request is allowed. */
  @Nullable HttpAnswer refusal(HttpQuery question) {
    if (token == null) {
      String host = question.host();
      boolean own = host != null && OWN.matcher(host.toLowerCase(Locale.ROOT)).matches();
      return own ? null : HttpAnswer.text(403, "ask by an address of this host: 127.0.0.1");
    }
    return isRight(given(question.authorization()), token)
        ? null
        : HttpAnswer.text(401, "a token is needed");
  }

  private static boolean isRight(String given, Secret token) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.reveal().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the token in a request; empty if there is none. */
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
