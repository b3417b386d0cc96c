package dev.recorder.sqltext;

import dev.recorder.sqltext.SqlPiece.PieceKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Rewrites an SQL text so that the server parses no constant of an untrusted type.
 *
 * <p>A server that parses {@code tags @> '{vip}'} reads the text as a value of the type of {@code
 * tags}. This runs code of that type's owner, such as the CHECK of a domain. An untyped NULL in its
 * place gets the same type, but no value is read. So the types can be checked before any code of
 * theirs runs.
 *
 * <p>Texts stay where they can only have a type of the server: where the grammar requires a text,
 * and after type names that are words of the grammar. In doubt a text is replaced, which at worst
 * leads to a syntax error.
 */
public final class UntypedConstants {
  private static final String UNREAD = "(NULL::pg_catalog.unknown)";

  /**
   * Types that are words of the grammar, by their last word; {@code path} belongs to JSON_TABLE.
   */
  private static final Pattern STAYS_BEHIND =
      Pattern.compile(
          "interval|timestamp|time|zone|bit|n?char|character|varchar|varying|numeric|decimal|dec"
              + "|float|real|int|integer|smallint|bigint|boolean|precision|json|path",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern EXTRACT = Pattern.compile("extract", Pattern.CASE_INSENSITIVE);
  private static final Pattern JSON_TABLE = Pattern.compile("json_table", Pattern.CASE_INSENSITIVE);
  private static final Pattern UESCAPE = Pattern.compile("uescape", Pattern.CASE_INSENSITIVE);

  /** Prefixes of bit strings, and of texts of the type {@code bpchar}. */
  private static final Pattern TYPED_PREFIX = Pattern.compile("[bxn]", Pattern.CASE_INSENSITIVE);

  private static final Pattern PREFIX = Pattern.compile("e", Pattern.CASE_INSENSITIVE);
  private static final Pattern UNICODE = Pattern.compile("u", Pattern.CASE_INSENSITIVE);

  private enum TokenKind {
    SPACE,
    TEXT,
    /** In double quotes. */
    NAME,
    WORD,
    SIGN
  }

  private record Token(TokenKind kind, String text) {}

  private final List<Token> tokens = new ArrayList<>();
  private final List<String> written = new ArrayList<>();

  /**
   * For each closing parenthesis the index of its opening one; for other tokens their own index.
   */
  private final List<Integer> opened = new ArrayList<>();

  private final Deque<Integer> open = new ArrayDeque<>();

  private UntypedConstants(String sql) {
    SqlScanner.pieces(sql).forEach(this::add);
  }

  /**
   * Returns the rewritten SQL.
   *
   * @param sql has no comment, no dollar, and no backslash between quotes
   */
  public static String in(String sql) {
    return new UntypedConstants(sql).written();
  }

  private void add(SqlPiece piece) {
    if (piece.kind() == PieceKind.QUOTED) {
      add(piece.text().startsWith("'") ? TokenKind.TEXT : TokenKind.NAME, piece.text());
      return;
    }
    piece.text().chars().forEach(c -> add(kindOf((char) c), String.valueOf((char) c)));
  }

  private static TokenKind kindOf(char c) {
    if (" \t\n\r\f\u000B".indexOf(c) >= 0) {
      return TokenKind.SPACE;
    }
    boolean isOfWord = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return isOfWord || c == '_' || c >= '\u0080' ? TokenKind.WORD : TokenKind.SIGN;
  }

  /** Adds a token. A doubled quote makes two adjacent pieces, which are joined. */
  private void add(TokenKind kind, String text) {
    int last = tokens.size() - 1;
    if (kind != TokenKind.SIGN && last >= 0 && tokens.get(last).kind() == kind) {
      tokens.set(last, new Token(kind, tokens.get(last).text() + text));
    } else {
      tokens.add(new Token(kind, text));
    }
  }

  private String written() {
    for (int at = 0; at < tokens.size(); at++) {
      Token token = tokens.get(at);
      written.add(token.text());
      opened.add(at);
      if (isSign(at, "(") || isSign(at, "[")) {
        open.push(at);
      } else if ((isSign(at, ")") || isSign(at, "]")) && !open.isEmpty()) {
        opened.set(at, open.pop());
      } else if (token.kind() == TokenKind.TEXT) {
        write(at);
      }
    }
    return String.join("", written);
  }

  private void write(int at) {
    int before = at - 1;
    if (isWord(before, TYPED_PREFIX)) {
      return;
    }
    int first = at;
    if (isWord(before, PREFIX)) {
      first = before;
    } else if (isSign(before, "&") && isWord(before - 1, UNICODE)) {
      first = before - 1;
    }
    before = before(first);
    if (isWord(before, UESCAPE) && isKind(before(before), TokenKind.TEXT)) {
      leaveOut(before, at);
    } else if (isKind(before, TokenKind.TEXT)) {
      leaveOut(first, at); // It continues the text before it.
    } else if (!stays(before)) {
      leaveOut(first, at);
      if (isName(before)) {
        int start = startOf(before);
        written.set(start, UNREAD + "::" + written.get(start));
      } else {
        written.set(at, UNREAD);
      }
    }
  }

  /** Whether a text after this token always has a type of the server. */
  private boolean stays(int before) {
    if (isSign(before, "(")) {
      return isWord(before(before), EXTRACT);
    } else if (isSign(before, ")")) {
      return isWord(before(opened.get(before)), STAYS_BEHIND);
    } else if (isSign(before, ",")) {
      return isPathOfTable(before);
    }
    return isWord(before, STAYS_BEHIND);
  }

  /** Whether this is the first comma of a JSON_TABLE, after which a path follows. */
  private boolean isPathOfTable(int comma) {
    if (open.isEmpty() || !isWord(before(open.peek()), JSON_TABLE)) {
      return false;
    }
    for (int at = open.peek() + 1; at < comma; at++) {
      if (isSign(at, ",") && isOutside(at, open.peek())) {
        return false;
      }
    }
    return true;
  }

  /** Whether no pair of parentheses opened after {@code start} surrounds the token. */
  private boolean isOutside(int at, int start) {
    for (int close = at + 1; close < opened.size(); close++) {
      int opening = opened.get(close);
      if (opening < at && opening > start) {
        return false;
      }
    }
    return true;
  }

  /** Whether a word is a name, in quotes or after a dot, and not a word of the grammar. */
  private boolean isName(int at) {
    return isKind(at, TokenKind.NAME) || (isKind(at, TokenKind.WORD) && isSign(before(at), "."));
  }

  private int startOf(int name) {
    int start = withPrefix(name);
    while (isSign(before(start), ".")) {
      int part = before(before(start));
      if (!isKind(part, TokenKind.NAME) && !isKind(part, TokenKind.WORD)) {
        break;
      }
      start = withPrefix(part);
    }
    return start;
  }

  private int withPrefix(int name) {
    boolean hasPrefix =
        isKind(name, TokenKind.NAME)
            && isSign(name - 1, "&")
            && isKind(name - 2, TokenKind.WORD)
            && UNICODE.matcher(tokens.get(name - 2).text()).matches();
    return hasPrefix ? name - 2 : name;
  }

  private boolean isWord(int at, Pattern words) {
    return isKind(at, TokenKind.WORD)
        && words.matcher(tokens.get(at).text()).matches()
        && !isSign(before(at), ".");
  }

  private boolean isSign(int at, String sign) {
    return isKind(at, TokenKind.SIGN) && tokens.get(at).text().equals(sign);
  }

  private boolean isKind(int at, TokenKind kind) {
    return at >= 0 && tokens.get(at).kind() == kind;
  }

  /** Returns the index of the token before this one, without spaces; -1 if there is none. */
  private int before(int at) {
    int before = at - 1;
    while (isKind(before, TokenKind.SPACE)) {
      before--;
    }
    return before;
  }

  private void leaveOut(int from, int to) {
    for (int at = from; at <= to; at++) {
      written.set(at, "");
    }
  }
}
