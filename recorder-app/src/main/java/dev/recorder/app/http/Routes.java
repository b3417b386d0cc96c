package dev.recorder.app.http;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses the answer to a request. */
final class Routes {
  private static final String RECORDERS = "/recorders/";

  private final Health health;
  private final AccessCheck accessCheck;
  private final Map<String, Supplier<Answer>> behind;

  /**
   * @param behind routes that need authorization, by path
   */
  Routes(Health health, AccessCheck accessCheck, Map<String, Supplier<Answer>> behind) {
    this.health = health;
    this.accessCheck = accessCheck;
    this.behind = Map.copyOf(behind);
  }

  Answer answer(Question question) {
    if (!question.isReading()) {
      return Answer.WRONG_METHOD;
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

  private Answer behindTheCheck(Question question) {
    Supplier<Answer> wanted = behind.get(question.path());
    if (wanted == null) {
      return Answer.NOT_FOUND;
    }
    @Nullable Answer refusal = accessCheck.refusal(question);
    return refusal != null ? refusal : wanted.get();
  }
}
