package dev.recorder.app.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;

/** {@code handler = jobs}: keeps books on who was at work on what. */
public final class JobHandlers implements RequestHandlerProvider {

  @Override
  public String name() {
    return "jobs";
  }

  @Override
  public RequestHandler create(RecorderName recorder) {
    return new JobHandler(JobBook.fromProperties());
  }
}
