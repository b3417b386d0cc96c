package dev.recorder.slotlog;

import dev.recorder.time.ByteQueue;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Hashes and compresses the appended bytes, on another thread while the next rows are read, if a
 * processor is free. Only one thread at a time appends, and only that thread ends or closes.
 */
final class Packer implements AutoCloseable {
  private final MessageDigest digest = SlotContentBuilder.sha256();
  private final PackedBytes packed = new PackedBytes();
  private final OutputStream packing;
  private final ByteQueue relay;

  /** Written by the thread that packs. */
  private volatile long packedSize;

  Packer(Compression compression, ByteQueue.Threads threads) {
    try {
      this.packing = compression.packing(packed);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    this.relay = threads.to(this::pack);
  }

  void append(byte[] source, int from, int count) {
    relay.append(source, from, count);
  }

  /**
   * Returns the bytes of the content in memory: packed ones, and appended ones that are not packed
   * yet.
   */
  long size() {
    return packedSize + relay.onTheirWay();
  }

  /** Ends the content and returns the packed bytes. */
  byte[] end() {
    relay.flush();
    close();
    return packed.toByteArray();
  }

  /**
   * Returns the hash of all appended bytes, in hexadecimal digits. Call it once, after {@link
   * #end}.
   */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Frees the compression's memory outside of the heap. */
  @Override
  public void close() {
    relay.close();
    try {
      packing.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private void pack(byte[] source, int from, int count) {
    try {
      packing.write(source, from, count);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    digest.update(source, from, count);
    packedSize = packed.size();
  }
}
