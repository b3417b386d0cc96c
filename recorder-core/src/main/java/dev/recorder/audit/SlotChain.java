package dev.recorder.audit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.recorder.slotlog.SlotContentBuilder;
import java.util.HexFormat;

/**
 * What a log's slots from the first one on were settled as, all in one hash: the SHA-256 of the
 * text of the hash so far, at first empty, with that of the slot's own hash behind it, slot after
 * slot. Two logs have the same chain only if they have the same slots, in the same order.
 *
 * @param lastSlot up to which slot; 0 if there is none yet
 * @param rows in these slots
 * @param bytes of their uncompressed contents
 * @param hash in hexadecimal digits; empty if there is no slot yet
 */
public record SlotChain(long lastSlot, long rows, long bytes, String hash) {
  /** Before the first slot. */
  public static final SlotChain START = new SlotChain(0, 0, 0, "");

  /** With the next slot. */
  public SlotChain then(String sha256, long slotRows, long slotBytes) {
    byte[] digest = SlotContentBuilder.sha256().digest((hash + sha256).getBytes(US_ASCII));
    return new SlotChain(
        lastSlot + 1, rows + slotRows, bytes + slotBytes, HexFormat.of().formatHex(digest));
  }
}
