package dev.recorder.lock.postgres;

/**
 * A unit of a calendar. Each unit begins two and a half minutes before the hour or midnight of its
 * time zone. So a job that cron starts at midnight by a clock that is slightly ahead belongs to the
 * new day. No job starts exactly at that half minute.
 */
public enum CalendarUnit {
  HOUR,
  DAY,
  /** Begins on Monday. */
  WEEK,
  MONTH
}
