package dev.recorder.app.config;

import org.jspecify.annotations.Nullable;

/**
 * What only a recorder of requests needs.
 *
 * @param workers how many entities this machine works on at a time
 * @param handler what turns a request into a record; null for the built-in one
 */
public record RequestWork(int workers, @Nullable String handler) {
  static final Setting<Integer> WORKERS = Setting.number("workers", 4, 1, 64);
  static final Setting<String> HANDLER =
      Setting.text(
          "handler",
          null,
          "[A-Za-z_][A-Za-z0-9_.$-]{0,254}",
          "is not a handler's name",
          "the handler's name, or leave the key out for the built-in one");

  public RequestWork {
    WORKERS.require(workers);
    if (handler != null) {
      HANDLER.require(handler);
    }
  }
}
