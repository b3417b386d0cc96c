package dev.recorder.slotlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All contents of a log up to a slot in one hash: SHA-256 of the text of the chain before it and
 * the slot's own hash, slot after slot. It depends on contents alone, so everyone who knows them
 * computes the same, whoever wrote or settled the slots; and two logs never share one, as it begins
 * with the log's identity.
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

  /** Before the first slot: SHA-256 of the identity's text. */
  public static LogChain of(UUID log) {
    return hash(log.toString());
  }

  /**
   * What a recorder's row says.
   *
   * @param hash null before the first slot
   */
  public static LogChain of(UUID log, @Nullable String hash) {
    return hash == null ? of(log) : new LogChain(hash);
  }

  /** With the next slot. */
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
