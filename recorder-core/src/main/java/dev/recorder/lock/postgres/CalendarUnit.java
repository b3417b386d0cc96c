package dev.recorder.lock.postgres;

/**
 * What a calendar counts. Each begins two and a half minutes before the hour, or before midnight,
 * of its time zone: a job that cron starts at midnight, by a clock that is a little fast, is then
 * not taken for yesterday's. No job starts at that half minute itself.
 */
public enum CalendarUnit {
  HOUR,
  DAY,
  /** From Monday on. */
  WEEK,
  MONTH
}
