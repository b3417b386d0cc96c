package dev.recorder.replay.postgres;

import dev.recorder.replay.postgres.ConditionTokens.UnreadException;
import dev.recorder.replay.postgres.PartitionPredicate.AnyOf;
import dev.recorder.replay.postgres.PartitionPredicate.Compared;
import dev.recorder.replay.postgres.PartitionPredicate.Every;
import dev.recorder.replay.postgres.PartitionPredicate.IsNull;
import dev.recorder.replay.postgres.PartitionPredicate.Not;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Parses the condition of a truncated partition, as printed by the server, into data: columns
 * compared with constants. None of its text goes into a statement. Anything else, such as a
 * partition key that is an expression, is not supported. Pure; for one use.
 */
final class PartitionCondition {
  private static final Set<String> SIGNS = Set.of("=", "<", "<=", ">", ">=");
  private static final Set<String> BEHIND_A_TYPE = Set.of("AND", "OR", "IS", "COLLATE");

  /** The deepest supported nesting. Partitions of partitions need a few levels. */
  private static final int DEEPEST = 200;

  private final ConditionTokens tokens;
  private int depth;

  private PartitionCondition(ConditionTokens tokens) {
    this.tokens = tokens;
  }

  /**
   * Returns the described rows; empty if the condition has more than columns compared with
   * constants.
   */
  static Optional<PartitionPredicate> read(String condition) {
    try {
      PartitionCondition reader = new PartitionCondition(new ConditionTokens(condition));
      PartitionPredicate rows = reader.any();
      return reader.tokens.areRead() ? Optional.of(rows) : Optional.empty();
    } catch (UnreadException e) {
      return Optional.empty();
    }
  }

  private PartitionPredicate any() {
    return joined("OR", this::every, AnyOf::new);
  }

  private PartitionPredicate every() {
    return joined("AND", this::one, Every::new);
  }

  private PartitionPredicate joined(
      String word,
      Supplier<PartitionPredicate> part,
      Function<List<PartitionPredicate>, PartitionPredicate> join) {
    List<PartitionPredicate> parts = new ArrayList<>(List.of(part.get()));
    while (tokens.takes(word)) {
      parts.add(part.get());
    }
    return parts.size() == 1 ? parts.get(0) : join.apply(parts);
  }

  private PartitionPredicate one() {
    ConditionTokens.require(++depth < DEEPEST);
    PartitionPredicate rows;
    int before = tokens.at();
    int deep = depth;
    if (tokens.takes("NOT")) {
      rows = new Not(one());
    } else {
      Optional<PartitionPredicate> comparison = comparison();
      if (comparison.isPresent()) {
        rows = comparison.get();
      } else {
        tokens.goTo(before);
        depth = deep;
        tokens.expect("(");
        rows = any();
        tokens.expect(")");
      }
    }
    depth--;
    return rows;
  }

  /** Reads a comparison; empty if a parenthesis around other conditions follows. */
  private Optional<PartitionPredicate> comparison() {
    Optional<Operand> column = column();
    if (column.isEmpty()) {
      return Optional.empty();
    } else if (tokens.takes("IS")) {
      boolean not = tokens.takes("NOT");
      tokens.expect("NULL");
      PartitionPredicate isNull = new IsNull(column.get().text());
      return Optional.of(not ? new Not(isNull) : isNull);
    } else if (!SIGNS.contains(tokens.text())) {
      return Optional.empty();
    }
    String sign = tokens.text();
    tokens.skip();
    List<Operand> bounds = tokens.takes("ANY") ? bounds() : List.of(bound());
    return Optional.of(
        new Compared(
            column.get().text(),
            column.get().type().isEmpty() ? bounds.get(0).type() : column.get().type(),
            sign,
            collation(),
            bounds.stream().map(Operand::text).toList()));
  }

  /**
   * A column or a constant.
   *
   * @param type of the last cast; empty if there is none
   */
  private record Operand(String text, String type) {
    Operand as(String cast) {
      return cast.isEmpty() ? this : new Operand(text, cast);
    }
  }

  /** Reads a column, possibly in parentheses and with a cast to the type of the comparison. */
  private Optional<Operand> column() {
    Optional<Operand> column = Optional.empty();
    if (tokens.takes("(")) {
      ConditionTokens.require(++depth < DEEPEST);
      column = column();
      depth--;
      if (column.isEmpty() || !tokens.takes(")")) {
        return Optional.empty();
      }
    } else if (tokens.is("name") && !BEHIND_A_TYPE.contains(tokens.text())) {
      column = Optional.of(new Operand(name(), ""));
    }
    String cast = type();
    return column.map(operand -> operand.as(cast));
  }

  private List<Operand> bounds() {
    List<Operand> bounds = new ArrayList<>();
    tokens.expect("(");
    boolean isCast = tokens.takes("(");
    tokens.expect("ARRAY");
    tokens.expect("[");
    do {
      bounds.add(bound());
    } while (tokens.takes(","));
    tokens.expect("]");
    if (isCast) {
      tokens.expect(")");
    }
    type();
    tokens.expect(")");
    return bounds;
  }

  private Operand bound() {
    Operand bound;
    if (tokens.takes("(")) {
      ConditionTokens.require(++depth < DEEPEST);
      bound = bound();
      depth--;
      tokens.expect(")");
    } else {
      bound = new Operand(constant(), "");
    }
    return bound.as(type());
  }

  private String collation() {
    if (!tokens.takes("COLLATE")) {
      return "";
    }
    ConditionTokens.require(tokens.is("name"));
    String collation = name();
    ConditionTokens.require(!tokens.text().equals(".")); // A user-defined collation.
    return collation;
  }

  private String constant() {
    if (tokens.takes("true")) {
      return "true";
    } else if (tokens.takes("false")) {
      return "false";
    }
    ConditionTokens.require(tokens.is("text") || tokens.is("number"));
    boolean isText = tokens.is("text");
    String text = tokens.text();
    tokens.skip();
    if (!isText) {
      return text;
    }
    String content = text.substring(text.indexOf('\'') + 1, text.length() - 1).replace("''", "'");
    return text.startsWith("E") ? content.replaceAll("\\\\(.)", "$1") : content;
  }

  /** Reads casts. Returns the type of the last cast; empty if there is none. */
  private String type() {
    StringBuilder type = new StringBuilder();
    while (tokens.takes("::")) {
      type.setLength(0);
      ConditionTokens.require(tokens.is("name"));
      while (tokens.is("name") && !BEHIND_A_TYPE.contains(tokens.text())) {
        type.append(type.isEmpty() || type.charAt(type.length() - 1) == '.' ? "" : " ");
        type.append(tokens.text());
        tokens.skip();
        modifier(type);
        if (tokens.takes(".")) {
          type.append('.');
        }
      }
      while (tokens.takes("[")) {
        tokens.expect("]");
        type.append("[]");
      }
    }
    return type.toString();
  }

  private void modifier(StringBuilder type) {
    if (tokens.takes("(")) {
      type.append('(');
      while (tokens.is("number") || tokens.text().equals(",")) {
        type.append(tokens.text());
        tokens.skip();
      }
      tokens.expect(")");
      type.append(')');
    }
  }

  private String name() {
    String name = tokens.text();
    tokens.skip();
    return name.startsWith("\"")
        ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
        : name;
  }
}
