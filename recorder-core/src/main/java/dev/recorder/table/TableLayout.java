package dev.recorder.table;

import dev.recorder.slotlog.LogLayout;
import java.util.Locale;

/**
 * The place of a log's table: beside the log's folder, so that neither folder contains the other.
 *
 * @param root the table's folder, with a slash at the end
 */
public record TableLayout(String root) {
  private static final String COMMITS = "_delta_log/";

  public static TableLayout of(LogLayout log) {
    String folder = log.folder();
    return new TableLayout(folder.substring(0, folder.length() - 1) + ".delta/");
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

  static String digits(long number) {
    return String.format(Locale.ROOT, "%020d", number);
  }
}
