package dev.recorder.app.http;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses the answer to a request. */
final class HttpRoutes {
  private static final String RECORDERS = "/recorders/";

  private final HealthChecks health;
  private final AccessCheck accessCheck;
  private final Map<String, Supplier<HttpAnswer>> behind;

  /**
   * Creates the routes.
   *
   * @param behind the routes that need authorization, by path
   */
  HttpRoutes(
      HealthChecks health, AccessCheck accessCheck, Map<String, Supplier<HttpAnswer>> behind) {
    this.health = health;
    this.accessCheck = accessCheck;
    this.behind = Map.copyOf(behind);
  }

  HttpAnswer answer(HttpQuery question) {
    if (!question.isReading()) {
      return HttpAnswer.WRONG_METHOD;
    }
    String path = question.path();
    if (path.startsWith(RECORDERS)) {
      return health.recorder(path.substring(RECORDERS.length()));
    }
    return switch (path) {
      case "/healthz" -> health.alive();
      case "/readyz" -> health.ready();
      default -> behindTheCheck(question);
    };
  }

  private HttpAnswer behindTheCheck(HttpQuery question) {
    Supplier<HttpAnswer> wanted = behind.get(question.path());
    if (wanted == null) {
      return HttpAnswer.NOT_FOUND;
    }
    @Nullable HttpAnswer refusal = accessCheck.refusal(question);
    return refusal != null ? refusal : wanted.get();
  }
}
