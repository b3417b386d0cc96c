package dev.recorder.requests.document;

/** The key of an entity's document, or why it cannot have one. */
public sealed interface EntityKey {

  record Usable(String key) implements EntityKey {}

  /**
   * The id cannot be a key, so its requests become errors.
   *
   * @param why the fault, and the limit
   */
  record Refused(String why) implements EntityKey {}
}
