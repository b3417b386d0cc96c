package dev.recorder.requests.handlers;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.WorkUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/** Units of work to hand to handlers. */
final class Units {
  static final RecorderName CUSTOMERS = new RecorderName("customers");
  static final UUID PROCESS = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

  private Units() {}

  static WorkUnit of(String entity, Request... requests) {
    return new WorkUnit(CUSTOMERS, entity, PROCESS, 4711, List.of(requests));
  }

  static WorkUnit create(String entity, String payload) {
    return of(entity, new Request(1, RequestType.CREATE, payload, 0));
  }

  static WorkUnit updates(long... ids) {
    return of(
        "7",
        LongStream.of(ids)
            .mapToObj(id -> new Request(id, RequestType.UPDATE, "{}", 0))
            .toArray(Request[]::new));
  }
}
