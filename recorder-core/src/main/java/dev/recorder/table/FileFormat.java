package dev.recorder.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;

/** Port: the form of a table's files, which are in memory. As thread-safe as the files. */
public interface FileFormat {

  /** Begins a file of rows. */
  RowFile begin(TableColumns columns);

  /**
   * Reads the rows of a file, in order; columns that it does not have are null.
   *
   * @throws IllegalArgumentException if it is none of this form, or is damaged
   */
  void read(byte[] file, TableColumns columns, Consumer<TableRow> sink);

  /** A checkpoint: a file of actions. */
  byte[] checkpoint(List<ObjectNode> actions);

  /**
   * The actions of a checkpoint.
   *
   * @throws IllegalArgumentException if it is none, or is damaged
   */
  List<ObjectNode> readCheckpoint(byte[] file);

  /** A file that is being written. For one thread. */
  interface RowFile {
    void add(TableRow row);

    /** What it takes of the heap, about. */
    long bytes();

    /** The file; nothing can be added any more. */
    byte[] finish();
  }
}
