package dev.recorder.capture;

import java.util.List;

/**
 * Facts about a rule's expressions, as the server has parsed them.
 *
 * @param named the columns that the expressions name: number, name, type and collation of each,
 *     separated by spaces
 * @param called the users' functions that the expressions call, each with a hash of its definition
 * @param keyText how the value of the {@code key} expression becomes text
 */
public record RuleExpressions(List<String> named, List<String> called, TextEncoding keyText) {
  public RuleExpressions {
    named = List.copyOf(named);
    called = List.copyOf(called);
  }
}
