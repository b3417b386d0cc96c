package dev.recorder.app.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;

/** A handler that does nothing: what is left of a unit's time is the queue's. */
public final class NoopHandlers implements RequestHandlerProvider {

  @Override
  public String name() {
    return "noop";
  }

  @Override
  public RequestHandler create(RecorderName recorder) {
    return unit -> new Outcome.Complete();
  }
}
