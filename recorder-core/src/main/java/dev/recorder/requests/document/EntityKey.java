package dev.recorder.requests.document;

/** Where an entity's document lies, or why it cannot have one. */
public sealed interface EntityKey {

  /** The object's key. */
  record Usable(String key) implements EntityKey {}

  /**
   * The entity's id makes no key; its requests become errors.
   *
   * @param why what is wrong with it, and the limit
   */
  record Refused(String why) implements EntityKey {}
}
