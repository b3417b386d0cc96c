package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.store.KeySegment;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The place of a table: beside the log's folder, so that neither folder contains the other.
 *
 * @param root the table's folder, with a slash at the end
 */
public record TableLayout(String root) {
  private static final String COMMITS = "_delta_log/";

  /** A key has at most 1,024 bytes, and other parts of it have up to 670. */
  private static final int LONGEST_NAME = 300;

  private static final int HASH = 32;

  public static TableLayout of(LogLayout log) {
    String folder = log.folder();
    return new TableLayout(folder.substring(0, folder.length() - 1) + ".delta/");
  }

  /**
   * Returns the place of the changes of a captured table.
   *
   * @param table the table's name in changes
   */
  public static TableLayout ofChanges(LogLayout log, String table) {
    return new TableLayout(allChanges(log) + segment(table) + ".delta/");
  }

  /** Returns the folder with the changes of all captured tables of a log. */
  public static String allChanges(LogLayout log) {
    String folder = log.folder();
    return folder.substring(0, folder.length() - 1) + ".tables/";
  }

  private static String segment(String table) {
    String segment;
    try {
      segment = KeySegment.of(table);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the name of table " + table + " is not valid Unicode", e);
    }
    return segment.length() <= LONGEST_NAME
        ? segment
        : segment.substring(0, LONGEST_NAME - HASH) + hash(table.getBytes(UTF_8));
  }

  /** Returns the key of a file that a commit names by {@code path}. */
  public String fileKey(String path) {
    return root + path;
  }

  String commitKey(long version) {
    return root + COMMITS + digits(version) + ".json";
  }

  String checkpointKey(long version) {
    return root + COMMITS + digits(version) + ".checkpoint.parquet";
  }

  String lastCheckpointKey() {
    return root + COMMITS + "_last_checkpoint";
  }

  /** Returns the part of a hash that names of files have. */
  static String hash(byte[] bytes) {
    return HexFormat.of().formatHex(SlotContentBuilder.sha256().digest(bytes)).substring(0, HASH);
  }

  static String digits(long number) {
    return String.format(Locale.ROOT, "%020d", number);
  }
}
