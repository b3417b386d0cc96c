package dev.recorder.app.cli;

import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.slotlog.SlotReader.Content;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.time.NamedThreads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The contents of consecutive slots, in order, read a few ahead: one slot after the other would
 * wait for the store most of the time.
 */
final class SlotStream implements AutoCloseable {
  private static final int AHEAD = 4;

  private final CommandResources.Log log;
  private final SlotReader reader;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(AHEAD, new NamedThreads("read-slot"));
  private final Deque<Future<byte[]>> underWay = new ArrayDeque<>();
  private final long last;
  private long next;

  SlotStream(CommandResources.Log log, long first, long last) {
    this.log = log;
    this.reader = new SlotReader(log.bucket(), log.layout());
    this.next = first;
    this.last = last;
  }

  /** The next slot's lines; null after the last slot. */
  byte @Nullable [] next() throws UnreadableSlotException, CommandFailure, InterruptedException {
    while (underWay.size() < AHEAD && next <= last) {
      long slot = next++;
      underWay.add(threads.submit(() -> read(slot)));
    }
    Future<byte[]> first = underWay.poll();
    if (first == null) {
      return null;
    }
    try {
      return first.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof UnreadableSlotException unreadable) {
        throw unreadable;
      } else if (cause instanceof CommandFailure failure) {
        throw failure;
      }
      throw new IllegalStateException(cause);
    }
  }

  private byte[] read(long slot) throws UnreadableSlotException, CommandFailure {
    Optional<Content> content = reader.readContent(slot);
    if (content.isEmpty()) {
      throw fault(slot, "is missing");
    }
    Optional<ObjectMetadata> metadata = content.get().metadata();
    if (metadata.isEmpty()
        || !metadata.get().log().equals(log.row().log())
        || metadata.get().slot() != slot) {
      throw fault(slot, "is not this log's slot " + slot);
    }
    if (!metadata.get().sha256().equals(content.get().sha256())) {
      throw fault(slot, "was changed: its content has another SHA-256 than its metadata say");
    }
    return content.get().lines();
  }

  private CommandFailure fault(long slot, String what) {
    return new CommandFailure(
        ExitCode.FAULTS,
        "object %s in bucket %s %s; 'recorder verify %s' tells what is lost"
            .formatted(log.layout().slotKey(slot), log.layout().bucket(), what, log.name()));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
