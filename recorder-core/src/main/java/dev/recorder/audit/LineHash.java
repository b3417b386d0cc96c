package dev.recorder.audit;

import dev.recorder.slotlog.SlotContentBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A whole line in 16 bytes: the first half of its SHA-256. */
record LineHash(long high, long low) {
  private static final int HEAD = 80;
  private static final Pattern XID = Pattern.compile("\"xid\":\\d+,");

  static LineHash of(byte[] line) {
    return first(SlotContentBuilder.sha256().digest(line));
  }

  /** The same for lines of one row, recorded under two servers' transaction numbers. */
  static LineHash ofAllButXid(byte[] line) {
    String head = new String(line, 0, Math.min(HEAD, line.length), StandardCharsets.ISO_8859_1);
    Matcher xid = XID.matcher(head);
    if (!xid.find()) {
      return of(line);
    }
    MessageDigest digest = SlotContentBuilder.sha256();
    digest.update(line, 0, xid.start());
    digest.update(line, xid.end(), line.length - xid.end());
    return first(digest.digest());
  }

  private static LineHash first(byte[] digest) {
    ByteBuffer bytes = ByteBuffer.wrap(digest);
    return new LineHash(bytes.getLong(), bytes.getLong());
  }
}
