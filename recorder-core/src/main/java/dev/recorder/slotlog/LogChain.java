package dev.recorder.slotlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One hash over all contents of a log up to a slot. For each slot it is the SHA-256 of the text of
 * the chain before it and of the slot's own hash. It depends on the contents alone, so every host
 * computes the same chain, whichever host wrote or settled the slots. It begins with the log's
 * identity, so two logs never share a chain.
 *
 * @param hash 64 lower-case hexadecimal digits
 */
public record LogChain(String hash) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  public LogChain {
    if (!HASH.matcher(hash).matches()) {
      throw new IllegalArgumentException("no chain: " + hash);
    }
  }

  /** Returns the chain before the first slot: the SHA-256 of the identity's text. */
  public static LogChain of(UUID log) {
    return hash(log.toString());
  }

  /**
   * Returns the chain that a recorder's row has.
   *
   * @param hash null before the first slot
   */
  public static LogChain of(UUID log, @Nullable String hash) {
    return hash == null ? of(log) : new LogChain(hash);
  }

  /**
   * Returns the chain after the next slot.
   *
   * @param sha256 hash of that slot's content
   */
  public LogChain then(String sha256) {
    return hash(hash + sha256);
  }

  private static LogChain hash(String text) {
    byte[] digest = SlotContentBuilder.sha256().digest(text.getBytes(US_ASCII));
    return new LogChain(HexFormat.of().formatHex(digest));
  }

  @Override
  public String toString() {
    return hash;
  }
}
