package dev.recorder.reader;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/** A moment in a log, as an operator names it. */
public sealed interface LogMoment {
  /** The beginning of a transaction's text, as in {@code xid:4711}. */
  String XID = "xid:";

  /**
   * A time of the database's clock. A slot is after it if its rows were read at that time or later.
   *
   * <p>Rows are read after they are committed. So all rows in the slots before this time were
   * committed before it.
   */
  record TimeOfDatabase(Instant time) implements LogMoment {
    @Override
    public String toString() {
      return time.toString();
    }
  }

  /** The beginning of a slot. */
  record SlotBegin(long slot) implements LogMoment {
    public SlotBegin {
      if (slot < 1) {
        throw new IllegalArgumentException("slots count from 1: " + slot);
      }
    }

    @Override
    public String toString() {
      return "slot " + slot;
    }
  }

  /**
   * The beginning of the first slot that has a row of a transaction.
   *
   * @param xid unsigned
   */
  record TransactionBegin(long xid) implements LogMoment {
    @Override
    public String toString() {
      return "transaction " + Long.toUnsignedString(xid);
    }
  }

  /**
   * Reads a time with its zone ({@code 2026-01-02T03:04:05Z}, or with a blank), the number of a
   * slot, or a transaction ({@code xid:4711}).
   *
   * @throws IllegalArgumentException if the text has none of these forms
   */
  static LogMoment parse(String text) {
    try {
      if (text.startsWith(XID)) {
        return new TransactionBegin(Long.parseUnsignedLong(text.substring(XID.length())));
      }
      return text.indexOf('-') > 0
          ? new TimeOfDatabase(OffsetDateTime.parse(text.replace(' ', 'T')).toInstant())
          : new SlotBegin(Long.parseLong(text));
    } catch (DateTimeException bad) {
      throw new IllegalArgumentException(text, bad);
    }
  }
}
