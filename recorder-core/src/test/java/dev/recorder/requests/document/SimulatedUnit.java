package dev.recorder.requests.document;

import dev.recorder.requests.RequestMark;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker.Statuses;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.DocumentStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work in the hands of the real worker, one call at a time, on the simulation's thread.
 *
 * <p>The worker decides by the answers it gets and by nothing else. So it is run from the beginning
 * each time, with the answers so far, until it asks for one that is not there yet.
 */
final class SimulatedUnit {
  private static final DocumentLayout LAYOUT =
      new DocumentLayout("", "bucket", "", SimulatedTable.NAME);

  final WorkUnit unit;
  private final DocumentStore store;
  private final Statuses statuses;
  private final int limitBytes;

  /** How often the worker may look at the time before it is over. */
  private final int looks;

  private final List<Object> answers = new ArrayList<>();

  /** Whether its session lives, and with it its locks. */
  boolean alive = true;

  SimulatedUnit(WorkUnit unit, DocumentStore store, Statuses statuses, int limitBytes, int looks) {
    this.unit = unit;
    this.store = store;
    this.statuses = statuses;
    this.limitBytes = limitBytes;
    this.looks = looks;
  }

  static String key(String entity) {
    return ((EntityKey.Usable) LAYOUT.key(entity)).key();
  }

  /** Carries out the next call; the verdict once there is none. */
  @Nullable UnitVerdict step() {
    Replay replay = new Replay();
    int[] looked = new int[1];
    DocumentWorker worker =
        new DocumentWorker(
            replay,
            LAYOUT,
            new DocumentLimits(limitBytes, Duration.ofNanos(looks)),
            () -> looked[0]++);
    try {
      return worker.work(unit, replay, TestRoom.AMPLE);
    } catch (InterruptedException interrupted) {
      throw new AssertionError("nobody interrupts a simulation", interrupted);
    } catch (Suspended suspended) {
      answers.add(suspended.call().get());
      return null;
    }
  }

  /** Answers with what was answered, and stops at what was not. */
  private final class Replay implements WorkersStore, Statuses {
    private int next;

    @SuppressWarnings("unchecked") // the worker makes the same calls each time
    private <T> T answer(Supplier<T> call) {
      if (next == answers.size()) {
        throw new Suspended(call::get);
      }
      return (T) answers.get(next++);
    }

    @Override
    public FetchAnswer fetch(String key, LongPredicate mayRead) {
      return answer(() -> store.fetch(key, mayRead));
    }

    @Override
    public PutAnswer putIfMatch(
        String key, byte[] body, Map<String, String> metadata, String etag) {
      return answer(() -> store.putIfMatch(key, body, metadata, etag));
    }

    @Override
    public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
      return answer(() -> store.putIfAbsent(key, body, metadata));
    }

    @Override
    public Map<Long, RequestMark> of(String entity, Collection<Long> ids) {
      return answer(() -> statuses.of(entity, ids));
    }
  }
}
