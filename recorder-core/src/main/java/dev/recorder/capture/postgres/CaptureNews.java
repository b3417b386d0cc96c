package dev.recorder.capture.postgres;

/**
 * One thing that a look at captures did or found.
 *
 * @param about the table or partition
 * @param text one sentence without its full stop, with the remedy; empty if the kind says
 *     everything
 * @param detail continues the sentence; a changed detail alone is not news
 */
public record CaptureNews(
    NewsKind kind, String recorder, String about, String text, String detail) {

  /** The kind of news. */
  public enum NewsKind {
    /** A table of the file is captured now. */
    SET_UP,
    /** A partition is captured now even if a statement names the partition itself. */
    ARMED,
    /** The capture's triggers were removed from a table that does not belong to the capture. */
    DISARMED,
    /** A newly armed partition was written to before. The log may lack these changes. */
    PERHAPS_LOST,
    /** A newly armed partition was written to before. Documents may lack these changes. */
    PERHAPS_OLD,
    /** A table of the file is not captured. */
    NOT_SET_UP,
    /** A table is captured with options that differ from the file. */
    OTHERWISE,
    /** A partition is not captured if a statement names the partition itself. */
    NOT_ARMED,
    /** A finding of {@code capture check} by which changes are lost. */
    LOSING,
    /** Any other finding of {@code capture check}. */
    REMARK;

    /** Returns whether changes are lost for as long as this state lasts. */
    public boolean isLoss() {
      return this == NOT_SET_UP || this == NOT_ARMED || this == LOSING;
    }

    /** Returns whether this is an event. Every other kind is a state that lasts. */
    public boolean isEvent() {
      return this == SET_UP
          || this == ARMED
          || this == DISARMED
          || this == PERHAPS_LOST
          || this == PERHAPS_OLD;
    }
  }

  CaptureNews(NewsKind kind, String recorder, String about, String text) {
    this(kind, recorder, about, text, "");
  }

  /** Returns the news without {@code detail}. The result is equal as long as nothing is new. */
  public CaptureNews withoutDetail() {
    return new CaptureNews(kind, recorder, about, text);
  }

  /** Returns text and detail as one sentence. */
  public String sentence() {
    return text + detail;
  }
}
