package dev.recorder.requests;

/** The result of an {@link EntityQuery} in a unit's own transaction. */
public sealed interface EntityState {

  /**
   * The entity exists.
   *
   * @param json its document
   * @param snapshot of the query, in the form of {@code pg_snapshot}: the document reflects all
   *     transactions that the snapshot sees
   */
  record EntityFound(String json, String snapshot) implements EntityState {}

  /** The entity does not exist. */
  record Gone(String snapshot) implements EntityState {}

  /** No document can be built from the current rows, so repeating the query does not help. */
  record Unfit(String why) implements EntityState {}

  /** The query could not run now; it is tried again. */
  record NotNow(String why) implements EntityState {}

  /** There was no memory for the document. */
  record NoMemory() implements EntityState {}
}
