package dev.recorder.sqltext;

/**
 * A piece of an SQL text.
 *
 * @param text the piece's text, including quotes and colons
 * @param at where the piece begins, from 0
 */
public record SqlPiece(PieceKind kind, String text, int at) {

  /** The kind of a piece, by its beginning. */
  public enum PieceKind {
    /**
     * A text in single quotes or a name in double quotes. A doubled quote within ends one piece and
     * begins the next; together they have the right length.
     */
    QUOTED,

    /** An unclosed quote and everything after it. */
    UNCLOSED,

    /** The beginning of a comment. Its text is not distinguished from the text after it. */
    COMMENT,

    OPENING,

    CLOSING,

    /**
     * A dollar: of a parameter number, in a name, or of a quote. The text between two dollars is
     * not distinguished from other text.
     */
    DOLLAR,

    /** A colon and the name after it, unless it is a cast or a slice by numbers. */
    PARAMETER,

    /** Anything else, character by character; the two colons of a cast are one piece. */
    OTHER
  }

  /** Whether the piece is this one character. */
  public boolean is(char c) {
    return text.length() == 1 && text.charAt(0) == c;
  }

  public String inner() {
    return text.substring(1, text.length() - 1);
  }
}
