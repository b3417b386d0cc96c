package dev.recorder.audit.objects;

import dev.recorder.memory.MemoryBudget;

/** Port: room in the heap for one object at a time. For one thread. */
@FunctionalInterface
public interface ReadingRoom {
  /** As much as there is. */
  ReadingRoom UNLIMITED = bytes -> true;

  /** The heap of a process that does nothing else. */
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
   * Asks for so many bytes in all, instead of what was asked for before; may wait for them. None
   * gives back everything.
   *
   * @return whether there is room for them
   */
  boolean of(long bytes);

  /** What no object may take, even if nothing else were there. */
  default long most() {
    return Long.MAX_VALUE;
  }

  /** How much there is at most. */
  default long limit() {
    return Long.MAX_VALUE;
  }
}
