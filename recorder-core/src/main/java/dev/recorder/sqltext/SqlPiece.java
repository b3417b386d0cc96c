package dev.recorder.sqltext;

/**
 * A piece of an SQL text.
 *
 * @param text as it stands there, quotes and colons included
 * @param at where it begins, counted from 0
 */
public record SqlPiece(PieceKind kind, String text, int at) {

  /** What a piece's beginning shows. */
  public enum PieceKind {
    /**
     * A text in single quotes or a name in double ones. A quote that is doubled within ends one
     * piece and begins the next: together they are as long.
     */
    QUOTED,

    /** A quote that nothing closes, and all that follows it. */
    UNCLOSED,

    /** What begins a comment. What stands in it is not told apart from what follows. */
    COMMENT,

    /** A parenthesis or a bracket that opens. */
    OPENING,

    /** A parenthesis or a bracket that closes. */
    CLOSING,

    /**
     * A dollar: of a number, in a name, or of a quote. What stands between two of these is not told
     * apart from what follows.
     */
    DOLLAR,

    /** A colon and the name behind it. A cast is none, and neither are slices by numbers. */
    PARAMETER,

    /** Anything else, character by character; the two colons of a cast are one piece. */
    OTHER
  }

  /** Whether it is one character, and this. */
  public boolean is(char c) {
    return text.length() == 1 && text.charAt(0) == c;
  }

  /** What stands between its quotes. */
  public String inner() {
    return text.substring(1, text.length() - 1);
  }
}
