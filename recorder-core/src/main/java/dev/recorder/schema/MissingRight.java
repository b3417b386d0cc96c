package dev.recorder.schema;

/**
 * A right that a role lacks.
 *
 * @param right the privilege, such as {@code INSERT}
 * @param on the table or schema, and the purpose
 * @param grant SQL for an administrator
 */
public record MissingRight(String right, String on, String grant) {
  /** Returns the same right, as needed to create a missing table. */
  MissingRight forWant(String table) {
    return new MissingRight(right, on + " to make " + table + ", which is missing", grant);
  }

  /** Whether the right is needed to create a missing object. */
  public boolean isToMake() {
    return right.equals("CREATE");
  }

  @Override
  public String toString() {
    return right + " on " + on;
  }
}
