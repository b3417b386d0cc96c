package dev.recorder.schema;

/**
 * A right that a role lacks.
 *
 * @param right such as {@code INSERT}
 * @param on table or schema; of a table that is not there the right is {@code table}
 * @param grant SQL for an administrator
 */
public record MissingRight(String right, String on, String grant) {
  @Override
  public String toString() {
    return right + " on " + on;
  }
}
