package dev.recorder.requests;

/** What an {@link EntityQuery} has said of an entity, in a unit's own transaction. */
public sealed interface EntityState {

  /**
   * There it is.
   *
   * @param json its document
   * @param snapshot of the query, as {@code pg_snapshot} has it: whatever this one sees, the
   *     document has
   */
  record There(String json, String snapshot) implements EntityState {}

  /** There is no such entity. */
  record Gone(String snapshot) implements EntityState {}

  /** No document can be built of what is there now, however often it is tried. */
  record Unfit(String why) implements EntityState {}

  /** The query could not be run: it is tried again. */
  record NotNow(String why) implements EntityState {}

  /** No memory was free for the document. */
  record NoMemory() implements EntityState {}
}
