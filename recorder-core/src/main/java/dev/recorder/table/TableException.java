package dev.recorder.table;

/** A table cannot be read or brought up to date. The message states the reason, for an operator. */
public final class TableException extends Exception {
  private static final long serialVersionUID = 1L;

  TableException(String message) {
    super(message);
  }
}
