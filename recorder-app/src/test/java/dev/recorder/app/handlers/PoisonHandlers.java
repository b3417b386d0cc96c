package dev.recorder.app.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;

/**
 * {@code handler = poison}: a payload that says so ends the process, at once and without a word.
 */
public final class PoisonHandlers implements RequestHandlerProvider {
  /** Exit code of a process that was poisoned. */
  public static final int EXIT_CODE = 99;

  public static final String POISON = "{\"poison\": true}";

  @Override
  public String name() {
    return "poison";
  }

  @Override
  public RequestHandler create(RecorderName recorder) {
    return unit -> {
      for (Request request : unit.requests()) {
        if (POISON.equals(request.payload())) {
          Runtime.getRuntime().halt(EXIT_CODE);
        }
      }
      Thread.sleep(5);
      return new Outcome.Complete();
    };
  }
}
