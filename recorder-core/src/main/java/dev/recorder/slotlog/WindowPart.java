package dev.recorder.slotlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of an object's metadata that describes the window of its rows, for readers without a
 * database. Rows of one window are in the order of their transactions' numbers, which is not the
 * order in which they took effect. Only after a window's last slot is no earlier row missing.
 *
 * <p>It is the window of the slot's plan, and so the same for each host that puts this content to
 * this slot. Content that was planned before is put with the window of that earlier plan.
 *
 * @param from mark of the snapshot after which the window begins
 * @param to mark of the snapshot at which the window ends
 * @param ends whether this is the window's last slot
 */
public record WindowPart(String from, String to, boolean ends) {
  private static final String WINDOW = "window";
  private static final String FROM = "window-from";
  private static final String TO = "window-to";
  private static final String ENDS = "ends";
  private static final String OPEN = "open";

  private static final int DIGITS = 16;

  /** Returns the description of {@code window}. */
  public static WindowPart of(Window window) {
    return new WindowPart(mark(window.from()), mark(window.to()), window.complete());
  }

  /**
   * Returns a short mark of a snapshot, whatever its number of transactions in progress: S3 accepts
   * 2 KB of metadata.
   */
  private static String mark(Snapshot snapshot) {
    byte[] digest = SlotContentBuilder.sha256().digest(snapshot.toString().getBytes(US_ASCII));
    return snapshot.xmax() + "." + HexFormat.of().formatHex(digest).substring(0, DIGITS);
  }

  /**
   * Returns whether {@code next}, the description in the following slot, continues this one: it is
   * the same window, or begins at this one's end. It does not if the database lost commits between
   * the two slots and continued from an earlier position.
   */
  public boolean isContinuedBy(WindowPart next) {
    boolean same = !ends && next.from.equals(from) && next.to.equals(to);
    return same || next.from.equals(to);
  }

  /**
   * Returns whether the window ends with this slot, given the description in the following slot. A
   * window's last slot may describe the window as open, if no row of the window was left when the
   * next slot was read.
   */
  public boolean isEndedBefore(@Nullable WindowPart next) {
    return ends || (next != null && next.from.equals(to));
  }

  /**
   * Returns the first transaction number that was not yet assigned at the window's end, unsigned.
   * This is the number before the point in the mark {@code to}. Returns 0 if the mark is malformed.
   */
  public long endsBefore() {
    try {
      return Long.parseUnsignedLong(to.substring(0, Math.max(0, to.indexOf('.'))));
    } catch (NumberFormatException noMark) {
      return 0;
    }
  }

  /** Adds the description to an object's metadata. */
  void addTo(Map<String, String> metadata) {
    metadata.put(WINDOW, ends ? ENDS : OPEN);
    metadata.put(FROM, from);
    metadata.put(TO, to);
  }

  /**
   * Reads the description from an object's metadata; empty if it is missing, as after a copy
   * without metadata.
   */
  static Optional<WindowPart> from(Map<String, String> metadata) {
    String window = metadata.getOrDefault(WINDOW, "");
    String from = metadata.getOrDefault(FROM, "");
    String to = metadata.getOrDefault(TO, "");
    boolean complete = window.equals(ENDS) || window.equals(OPEN);
    return complete && !from.isEmpty() && !to.isEmpty()
        ? Optional.of(new WindowPart(from, to, window.equals(ENDS)))
        : Optional.empty();
  }
}
