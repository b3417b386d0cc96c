package dev.recorder.replay.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tokens of a {@link PartitionCondition}: words, constants and signs. */
final class ConditionTokens {
  private static final List<String> GROUPS = List.of("text", "name", "number", "sign");
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<text>E'[^'\\\\]*+(?:(?:''|\\\\.)[^'\\\\]*+)*+'|'[^']*+(?:''[^']*+)*+')"
              + "|(?<name>\"[^\"]*+(?:\"\"[^\"]*+)*+\"|[\\p{L}_][\\p{L}\\p{N}_$]*+)"
              + "|(?<number>-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"
              + "|(?<sign>::|<=|>=|[<>=()\\[\\],.]))\\s*");

  /**
   * A token.
   *
   * @param group its kind
   */
  private record ConditionToken(String group, String text) {}

  /** Thrown if the condition is not supported. */
  static final class UnreadException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final List<ConditionToken> tokens = new ArrayList<>();
  private int at;

  /** Splits a condition; throws if it contains anything else. */
  ConditionTokens(String condition) {
    Matcher token = TOKEN.matcher(condition);
    int from = 0;
    while (from < condition.length()) {
      token.region(from, condition.length());
      require(token.lookingAt());
      from = token.end();
      for (String group : GROUPS) {
        if (token.group(group) != null) {
          tokens.add(new ConditionToken(group, token.group(group)));
        }
      }
    }
  }

  boolean areRead() {
    return at == tokens.size();
  }

  int at() {
    return at;
  }

  void goTo(int place) {
    at = place;
  }

  void skip() {
    at++;
  }

  /** Returns whether the next token is of this kind. */
  boolean is(String group) {
    return at < tokens.size() && tokens.get(at).group().equals(group);
  }

  /** Returns the next token; empty after the last. */
  String text() {
    return at < tokens.size() ? tokens.get(at).text() : "";
  }

  /** Consumes the next token if it equals {@code token}. */
  boolean takes(String token) {
    boolean isIt = text().equals(token);
    if (isIt) {
      at++;
    }
    return isIt;
  }

  /** Consumes the next token, which must equal {@code token}. */
  void expect(String token) {
    require(takes(token));
  }

  static void require(boolean fits) {
    if (!fits) {
      throw new UnreadException();
    }
  }
}
