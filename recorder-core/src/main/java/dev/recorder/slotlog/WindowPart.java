package dev.recorder.slotlog;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an object says of the window that its rows are from: for those who have the objects and no
 * database. Rows of one window are in the order of their transactions' numbers, which is not the
 * order in which they took effect; only behind a window's last slot is nothing missing that came
 * before.
 *
 * <p>It is the window of the slot's plan, and so the same for whoever writes this content to this
 * slot: a content that was planned before is written under the window that it had then.
 *
 * @param from tells the snapshot behind which the window begins
 * @param to tells the snapshot at which it ends
 * @param ends whether this is the window's last slot
 */
public record WindowPart(String from, String to, boolean ends) {
  private static final String WINDOW = "window";
  private static final String FROM = "window-from";
  private static final String TO = "window-to";
  private static final String ENDS = "ends";
  private static final String OPEN = "open";

  private static final int DIGITS = 16;

  /** What is said of {@code window}. */
  public static WindowPart of(Window window) {
    return new WindowPart(mark(window.from()), mark(window.to()), window.complete());
  }

  /** Short, however many transactions were in progress: S3 takes 2 KB of metadata. */
  private static String mark(Snapshot snapshot) {
    byte[] digest = SlotContentBuilder.sha256().digest(snapshot.toString().getBytes(US_ASCII));
    return snapshot.xmax() + "." + HexFormat.of().formatHex(digest).substring(0, DIGITS);
  }

  /**
   * Whether {@code next}, which the slot behind this one says, goes on where this one ends: with
   * the same window, or with one that begins at this one's end. It does not where the database lost
   * commits between them: it then went on from an earlier place.
   */
  public boolean isContinuedBy(WindowPart next) {
    boolean same = !ends && next.from.equals(from) && next.to.equals(to);
    return same || next.from.equals(to);
  }

  /**
   * Whether the window has ended with this slot, if {@code next} is what the slot behind it says.
   * Its last slot does not know that it is the last if no row was left behind it.
   */
  public boolean isEndedBefore(@Nullable WindowPart next) {
    return ends || (next != null && next.from.equals(to));
  }

  /**
   * The number that no transaction had yet when the window's end was seen, as a mark has it before
   * its point, unsigned; 0 if the mark is none.
   */
  public long endsBefore() {
    try {
      return Long.parseUnsignedLong(to.substring(0, Math.max(0, to.indexOf('.'))));
    } catch (NumberFormatException noMark) {
      return 0;
    }
  }

  /** Puts it with an object's other metadata. */
  void addTo(Map<String, String> metadata) {
    metadata.put(WINDOW, ends ? ENDS : OPEN);
    metadata.put(FROM, from);
    metadata.put(TO, to);
  }

  /** Empty for an object that has lost what it said, as by a copy without metadata. */
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
