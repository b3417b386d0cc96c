package dev.recorder.schema;

/**
 * A right that a role lacks.
 *
 * @param right such as {@code INSERT}
 * @param on table or schema, and what it is wanted for
 * @param grant SQL for an administrator
 */
public record MissingRight(String right, String on, String grant) {
  /** Wanted to make a table that is not there. */
  MissingRight forWant(String table) {
    return new MissingRight(right, on + " to make " + table + ", which is missing", grant);
  }

  /** Whether something is missing for lack of it. */
  public boolean isToMake() {
    return right.equals("CREATE");
  }

  @Override
  public String toString() {
    return right + " on " + on;
  }
}
