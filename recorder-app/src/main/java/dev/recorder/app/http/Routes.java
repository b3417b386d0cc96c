package dev.recorder.app.http;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which answer a question gets. */
final class Routes {
  private static final String RECORDERS = "/recorders/";

  private final Health health;
  private final Door door;
  private final Map<String, Supplier<Answer>> behind;

  /** With {@code behind} as what is behind the door, by path. */
  Routes(Health health, Door door, Map<String, Supplier<Answer>> behind) {
    this.health = health;
    this.door = door;
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
      default -> behindTheDoor(question);
    };
  }

  private Answer behindTheDoor(Question question) {
    Supplier<Answer> wanted = behind.get(question.path());
    if (wanted == null) {
      return Answer.NOT_FOUND;
    }
    @Nullable Answer refusal = door.refusal(question);
    return refusal != null ? refusal : wanted.get();
  }
}
