package dev.recorder.audit;

import dev.recorder.handoff.RecordedLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which lines can still have a row in the hand-off: rows are cleared by age. */
final class Kept {
  private static final int HEAD = 120;
  private static final Pattern TIME = Pattern.compile("\"time\":\"([^\"]+)\"");

  private final LogRecords records;
  private OptionalLong oldest;

  Kept(LogRecords records) {
    this.records = records;
    this.oldest = records.oldestTimeMicros();
  }

  /** Those of {@code lines} whose rows should be there. Looks again before it says so of any. */
  List<RecordedLine> withRows(List<RecordedLine> lines) {
    if (young(lines).isEmpty()) {
      return List.of();
    }
    // Rows may have been cleared since the last look.
    oldest = records.oldestTimeMicros();
    return young(lines);
  }

  private List<RecordedLine> young(List<RecordedLine> lines) {
    return lines.stream().filter(line -> isYoung(timeMicros(line))).toList();
  }

  private boolean isYoung(long time) {
    return oldest.isPresent() && time >= oldest.getAsLong();
  }

  /** A line without a readable time has no excuse for not being in the hand-off. */
  private static long timeMicros(RecordedLine line) {
    byte[] bytes = line.bytes();
    String head = new String(bytes, 0, Math.min(HEAD, bytes.length), StandardCharsets.ISO_8859_1);
    Matcher time = TIME.matcher(head);
    try {
      return time.find()
          ? ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time.group(1)))
          : Long.MAX_VALUE;
    } catch (DateTimeParseException damaged) {
      return Long.MAX_VALUE;
    }
  }
}
