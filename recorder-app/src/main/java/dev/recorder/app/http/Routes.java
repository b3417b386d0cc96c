package dev.recorder.app.http;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which answer a question gets. */
final class Routes {
  private static final String RECORDERS = "/recorders/";
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final Health health;
  private final Door door;
  private final Supplier<String> metrics;

  /** With {@code metrics} as the text behind the door. */
  Routes(Health health, Door door, Supplier<String> metrics) {
    this.health = health;
    this.door = door;
    this.metrics = metrics;
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
      case "/metrics" -> metrics(question);
      default -> Answer.NOT_FOUND;
    };
  }

  private Answer metrics(Question question) {
    @Nullable Answer refusal = door.refusal(question);
    return refusal != null
        ? refusal
        : new Answer(200, METRICS_TYPE, metrics.get().getBytes(StandardCharsets.UTF_8));
  }
}
