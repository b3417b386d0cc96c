package dev.recorder.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;

/**
 * Port to the format of a table's files, which are held in memory. Thread-safe, except for a {@link
 * RowFile}.
 */
public interface FileFormat {

  /** Begins a new file of rows. */
  RowFile begin(TableColumns columns);

  /**
   * Reads the rows of a file, in order. Columns that the file lacks are null.
   *
   * @throws IllegalArgumentException if the file has another format or is damaged
   */
  void read(byte[] file, TableColumns columns, Consumer<TableRow> sink);

  /** Returns a checkpoint: a file with these actions. */
  byte[] checkpoint(List<ObjectNode> actions);

  /**
   * Returns the actions of a checkpoint.
   *
   * @throws IllegalArgumentException if the file is no checkpoint or is damaged
   */
  List<ObjectNode> readCheckpoint(byte[] file);

  /** A file that is being written. For one thread. */
  interface RowFile {
    void add(TableRow row);

    /** Returns the approximate number of bytes used in the heap. */
    long bytes();

    /** Returns the finished file. No row can be added after that. */
    byte[] finish();
  }
}
