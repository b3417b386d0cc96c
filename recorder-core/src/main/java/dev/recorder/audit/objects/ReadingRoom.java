package dev.recorder.audit.objects;

import dev.recorder.memory.MemoryBudget;

/** Port: memory of the heap for one object at a time. For one thread. */
@FunctionalInterface
public interface ReadingRoom {
  /** A room without a limit. */
  ReadingRoom UNLIMITED = bytes -> true;

  /** The heap of a process without other work. */
  ReadingRoom HEAP =
      new ReadingRoom() {
        @Override
        public boolean of(long bytes) {
          return true;
        }

        @Override
        public long most() {
          return MemoryBudget.mostAlone();
        }
      };

  /**
   * Requests this many bytes in all, in place of the previous request; may wait for them. Zero
   * gives back all memory.
   *
   * @return whether the memory was granted
   */
  boolean of(long bytes);

  /** The most memory that an object may take, even without other users. */
  default long most() {
    return Long.MAX_VALUE;
  }

  /** The size of the whole budget. */
  default long limit() {
    return Long.MAX_VALUE;
  }
}
