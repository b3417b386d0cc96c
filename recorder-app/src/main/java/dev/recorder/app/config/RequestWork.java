package dev.recorder.app.config;

import dev.recorder.requests.QueryText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What only a recorder of requests needs.
 *
 * @param workers how many entities this machine works on at a time
 * @param handler what turns requests into effects: a provider's name or {@code exec:} and a
 *     program's path; null for a built-in one
 * @param handlerTimeout how long the handler may take for one unit
 * @param maxAttempts after this many attempts a request becomes an error
 * @param query builds an entity's whole document; null if payloads are merged
 */
public record RequestWork(
    int workers,
    @Nullable String handler,
    Duration handlerTimeout,
    int maxAttempts,
    @Nullable String query) {

  static final Setting<Integer> WORKERS =
      Setting.number("workers", 4, 1, 64)
          .means(
              "Requests only. How many entities this host works on at the same time, each with a"
                  + " database session.");
  static final Setting<String> HANDLER =
      new Setting<>("handler", String.class, null, new HandlerName())
          .otherwise("built-in")
          .takes("a name, or `exec:` and an absolute path")
          .means(
              "Requests only. How requests take effect: as a JSON document per entity"
                  + " in the bucket, or by [a handler of your own](handlers.md), a program"
                  + " without arguments or a Java class by its provider's name.");
  static final Setting<Duration> HANDLER_TIMEOUT =
      Setting.duration("handler_timeout", "60s", "1s", "1h")
          .means(
              "Requests only. How long the handler may take for one create, or for the updates of"
                  + " an entity that are processed together.");
  static final Setting<Integer> MAX_ATTEMPTS =
      Setting.number("max_attempts", 20, 1, 1000)
          .means(
              "Requests only. A request that failed temporarily this many times becomes an error.");

  static final Setting<String> QUERY =
      new Setting<>("query", String.class, null, new Query())
          .otherwise("payloads are merged")
          .takes("`SELECT …` or `WITH …`, on one line")
          .means(
              "Requests only, with the built-in handler. Builds the [whole"
                  + " document](capture.md#documents) of the entity `:entity`, which replaces the"
                  + " one before; payloads are ignored. The same on all hosts.");

  private static final String EXEC = "exec:";

  /** With payloads that are merged. */
  public RequestWork(
      int workers, @Nullable String handler, Duration handlerTimeout, int maxAttempts) {
    this(workers, handler, handlerTimeout, maxAttempts, null);
  }

  public RequestWork {
    WORKERS.require(workers);
    if (handler != null) {
      HANDLER.require(handler);
    }
    if (query != null) {
      QUERY.require(query);
    }
    HANDLER_TIMEOUT.require(handlerTimeout);
    MAX_ATTEMPTS.require(maxAttempts);
  }

  /** The program that {@code handler = exec:PATH} names, absolute; null for any other handler. */
  public @Nullable Path program() {
    return handler == null ? null : program(handler);
  }

  static @Nullable Path program(String handler) {
    return handler.startsWith(EXEC) ? Path.of(handler.substring(EXEC.length())) : null;
  }

  private record HandlerName() implements Rule<String> {
    private static final Pattern PROVIDER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.$-]{0,254}");

    @Override
    public @Nullable String fault(String value) {
      if (!value.startsWith(EXEC)) {
        return PROVIDER.matcher(value).matches() ? null : "is not a handler's name";
      }
      if (value.equals(EXEC)) {
        return "names no program";
      }
      try {
        Path program = program(value);
        return program != null && program.isAbsolute() ? null : "is not an absolute path";
      } catch (InvalidPathException unusable) {
        return "is not a path of this host";
      }
    }

    @Override
    public String allowed() {
      return "the name of a handler's provider, or exec: and the absolute path of a program"
          + " without arguments; or leave the key out for the built-in handler";
    }
  }

  private record Query() implements Rule<String> {
    @Override
    public @Nullable String fault(String value) {
      String fault = QueryText.fault(value);
      return fault.isEmpty() ? null : fault;
    }

    @Override
    public String allowed() {
      return "one SELECT that yields the document of the entity whose id is :entity, on one line;"
          + " let a longer one be a view";
    }
  }
}
