package dev.recorder.slotlog;

import dev.recorder.time.ByteQueue;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Hashes and compresses what is appended, beside the reading of the next rows where a processor is
 * free for it. One thread at a time appends, and it alone ends or closes.
 */
final class Packer implements AutoCloseable {
  private final MessageDigest digest = SlotContentBuilder.sha256();
  private final PackedBytes packed = new PackedBytes();
  private final OutputStream packing;
  private final ByteQueue relay;

  /** Written where lines are packed. */
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

  /** What it holds of the content; what is on its way counts as much as it is. */
  long size() {
    return packedSize + relay.onTheirWay();
  }

  /** Ends the content, and returns it. */
  byte[] end() {
    relay.flush();
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
