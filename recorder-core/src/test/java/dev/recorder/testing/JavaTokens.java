package dev.recorder.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A source file as its words, its signs and its texts, without comments; for rules of style. */
public final class JavaTokens {
  /** What a token is. */
  public enum Kind {
    /** A string, a text block, or a character. */
    TEXT,
    WORD,
    SIGN
  }

  /**
   * A part of the file.
   *
   * @param text of a {@link Kind#TEXT}, what stands between its quotes
   * @param line counted from 1
   */
  public record Token(Kind kind, String text, int line) {
    public boolean isText() {
      return kind == Kind.TEXT;
    }
  }

  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<comment>//[^\\n]*|/\\*.*?\\*/)"
              + "|\"\"\"[ \\t]*\\n(?<block>.*?)(?<!\\\\)\"\"\""
              + "|\"(?<string>(?:[^\"\\\\\\n]|\\\\.)*)\""
              + "|'(?<character>(?:[^'\\\\\\n]|\\\\.)+)'"
              + "|(?<word>[\\w$]+)"
              + "|(?<sign>::|\\S)",
          Pattern.DOTALL);

  private JavaTokens() {}

  /** All of a file, in order. */
  public static List<Token> of(String source) {
    List<Token> tokens = new ArrayList<>();
    Matcher found = TOKEN.matcher(source);
    int line = 1;
    int counted = 0;
    while (found.find()) {
      line += (int) source.substring(counted, found.start()).chars().filter(c -> c == '\n').count();
      counted = found.start();
      if (found.group("block") != null) {
        tokens.add(new Token(Kind.TEXT, found.group("block").replace("\\\n", " "), line));
      } else if (found.group("string") != null) {
        tokens.add(new Token(Kind.TEXT, found.group("string"), line));
      } else if (found.group("character") != null) {
        tokens.add(new Token(Kind.TEXT, found.group("character"), line));
      } else if (found.group("word") != null) {
        tokens.add(new Token(Kind.WORD, found.group("word"), line));
      } else if (found.group("sign") != null) {
        tokens.add(new Token(Kind.SIGN, found.group("sign"), line));
      }
    }
    return tokens;
  }
}
