package dev.recorder.slotlog;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Hashes and compresses what is appended, on another thread while the next rows are read: each
 * takes about half of what a row costs. What a content holds that is no longer than a stage, as at
 * a trickle, never leaves its own thread.
 *
 * <p>Whoever appends waits when {@value #MOST_WAITING} stages do; they wait for a processor and
 * nothing else. One thread at a time appends, and it alone ends or closes.
 */
final class Packer implements AutoCloseable {
  /** Packed and hashed so many bytes at a time: each call costs something. */
  static final int STAGE = 32 * 1024;

  static final int MOST_WAITING = 8;

  private final Executor threads;
  private final MessageDigest digest = SlotContentBuilder.sha256();
  private final PackedBytes packed = new PackedBytes();
  private final OutputStream packing;
  private Stage filling = new Stage();

  /** Of the thread that appends. */
  private int handedOn;

  private volatile int done;
  private volatile long packedSize;

  /** Guarded by this. */
  private final Deque<Stage> waiting = new ArrayDeque<>();

  /** Empty ones. Guarded by this. */
  private final Deque<Stage> spare = new ArrayDeque<>();

  /** Whether some thread packs what waits, or is about to. Guarded by this. */
  private boolean busy;

  /** What packing has failed with. Guarded by this. */
  private @Nullable Throwable failure;

  /** Bytes on their way. */
  private static final class Stage {
    private final byte[] bytes = new byte[STAGE];
    private int length;
  }

  /**
   * A packer.
   *
   * @param threads may run a task at once, later, or not at all: then it throws, and the task is
   *     the caller's
   */
  Packer(Compression compression, Executor threads) {
    this.threads = threads;
    try {
      this.packing = compression.packing(packed);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  void append(byte[] source, int from, int count) {
    if (count > STAGE - filling.length) {
      handOn();
    }
    if (count > STAGE) {
      awaitPacked();
      pack(source, from, count);
      packedSize = packed.size();
    } else {
      System.arraycopy(source, from, filling.bytes, filling.length, count);
      filling.length += count;
    }
  }

  /** What it holds of the content; what is on its way counts as much as it is. */
  long size() {
    return packedSize + (long) (handedOn - done) * STAGE;
  }

  /** Ends the content, and returns it. */
  byte[] end() {
    awaitPacked();
    pack(filling.bytes, 0, filling.length);
    close();
    return packed.toByteArray();
  }

  /** Of all that was appended, in hexadecimal digits; after {@link #end}, once. */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Gives back what a compression takes outside of the heap. */
  @Override
  public void close() {
    synchronized (this) {
      waiting.clear();
      awaitUntil(0);
    }
    try {
      packing.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void handOn() {
    boolean begins;
    synchronized (this) {
      awaitUntil(MOST_WAITING);
      throwFailure();
      waiting.add(filling);
      Stage empty = spare.poll();
      filling = empty == null ? new Stage() : empty;
      begins = !busy;
      busy = true;
    }
    handedOn++;
    if (begins) {
      begin();
    }
  }

  private void begin() {
    try {
      threads.execute(this::packWaiting);
    } catch (RejectedExecutionException stopping) {
      packWaiting();
    }
  }

  private void packWaiting() {
    try {
      for (Stage stage = next(null); stage != null; stage = next(stage)) {
        pack(stage.bytes, 0, stage.length);
        packedSize = packed.size();
        done = done + 1; // One thread at a time.
      }
    } catch (Throwable met) {
      fail(met);
    }
  }

  /** Also for an {@link Error}: the thread that appends meets it, where it is dealt with. */
  private synchronized void fail(Throwable met) {
    failure = met;
    waiting.clear();
    busy = false;
    notifyAll();
  }

  private synchronized @Nullable Stage next(@Nullable Stage packedOne) {
    if (packedOne != null) {
      packedOne.length = 0;
      spare.add(packedOne);
    }
    Stage stage = waiting.poll();
    busy = stage != null;
    notifyAll();
    return stage;
  }

  private synchronized void awaitPacked() {
    awaitUntil(0);
    throwFailure();
  }

  /** Waits while something is packed and at least so many stages wait; not to be interrupted. */
  private synchronized void awaitUntil(int fewer) {
    boolean interrupted = false;
    while (busy && waiting.size() >= fewer) {
      try {
        wait();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void throwFailure() {
    if (failure instanceof Error fatal) {
      throw fatal;
    } else if (failure != null) {
      throw new IllegalStateException("a slot's content could not be packed", failure);
    }
  }

  private void pack(byte[] source, int from, int count) {
    try {
      packing.write(source, from, count);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    digest.update(source, from, count);
  }
}
