package dev.recorder.table;

/** A table cannot be brought up to date. The message says why, for an operator. */
public final class TableException extends Exception {
  private static final long serialVersionUID = 1L;

  TableException(String message) {
    super(message);
  }
}
