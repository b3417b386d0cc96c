package dev.recorder.capture.postgres;

/**
 * What a look at the captures of active recorders did, or found.
 *
 * @param about the table or partition
 * @param text one sentence without its end, with what to do about it; empty if the kind says it all
 * @param detail goes on with the sentence; may be another each time, and is no news by itself
 */
public record CaptureNews(
    NewsKind kind, String recorder, String about, String text, String detail) {

  /** What kind of news. */
  public enum NewsKind {
    /** A table of the file is captured now. */
    SET_UP,
    /** A partition is captured now also when it is written to itself. */
    ARMED,
    /** A table that does not belong to a capture has no trigger of it any more. */
    DISARMED,
    /** Such a partition was written to before, and the log may lack that. */
    PERHAPS_LOST,
    /** The same, and documents may lack it. */
    PERHAPS_OLD,
    /** A table of the file is not captured. */
    NOT_SET_UP,
    /** A table is captured with other options than the file has. */
    OTHERWISE,
    /** A partition is not captured when it is written to itself. */
    NOT_ARMED,
    /** What {@code capture check} says through which changes are lost. */
    LOSING,
    /** What else it says. */
    REMARK;

    /** Whether changes are lost by it, for as long as it lasts. */
    public boolean isLoss() {
      return this == NOT_SET_UP || this == NOT_ARMED || this == LOSING;
    }

    /** Whether it happened once; what else there is lasts. */
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

  /** What is equal as long as there is nothing new about it. */
  public CaptureNews withoutDetail() {
    return new CaptureNews(kind, recorder, about, text);
  }

  /** The whole sentence. */
  public String sentence() {
    return text + detail;
  }
}
