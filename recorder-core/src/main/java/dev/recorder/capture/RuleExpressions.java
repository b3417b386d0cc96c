package dev.recorder.capture;

import java.util.List;

/**
 * The expressions of a rule as the server has read them.
 *
 * @param named the columns that they name: number, name, type and collation of each, with spaces
 *     between
 * @param called the functions of users that they call, and what these are like
 * @param keyText how the key of a row in the log becomes text
 */
public record RuleExpressions(List<String> named, List<String> called, TextEncoding keyText) {
  public RuleExpressions {
    named = List.copyOf(named);
    called = List.copyOf(called);
  }
}
