package dev.recorder.slotlog;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that are written once and read once. They grow by blocks, so they need twice their memory
 * only while they are copied into one array. Not thread-safe.
 */
final class PackedBytes extends OutputStream {
  private static final int BLOCK = 64 * 1024;

  private final List<byte[]> full = new ArrayList<>();
  private byte[] block = new byte[BLOCK];
  private int used;

  @Override
  public void write(int b) {
    if (used == block.length) {
      next();
    }
    block[used++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    int done = 0;
    while (done < count) {
      if (used == block.length) {
        next();
      }
      int part = Math.min(count - done, block.length - used);
      System.arraycopy(bytes, from + done, block, used, part);
      used += part;
      done += part;
    }
  }

  private void next() {
    full.add(block);
    block = new byte[BLOCK];
    used = 0;
  }

  /** Returns the number of bytes. */
  long size() {
    return (long) full.size() * BLOCK + used;
  }

  /** Returns all bytes in an array of exactly their size. */
  byte[] toByteArray() {
    byte[] all = new byte[Math.toIntExact(size())];
    int at = 0;
    for (byte[] each : full) {
      System.arraycopy(each, 0, all, at, BLOCK);
      at += BLOCK;
    }
    System.arraycopy(block, 0, all, at, used);
    return all;
  }
}
