package dev.recorder.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next commit that replaces several small files of a day that is over by one file with
 * the same rows in the same order. For one thread.
 */
final class Merging {
  /** The files of one merge together have at most 1/{@value} of a file's largest size. */
  private static final int SMALL = 4;

  private final TableLayout layout;
  private final TableSettings settings;
  private final FileFormat format;
  private final CommitInfo info;

  Merging(TableLayout layout, TableSettings settings, FileFormat format, CommitInfo info) {
    this.layout = layout;
    this.settings = settings;
    this.format = format;
    this.info = info;
  }

  /** Makes one merge after the other. */
  void all(TableWriter writer, BooleanSupplier goesOn) throws TableException {
    boolean more = true;
    while (more && goesOn.getAsBoolean()) {
      more = writer.commit(state -> next(state, writer::bytes));
    }
  }

  /**
   * Returns the commit that follows {@code state}; empty if there is nothing to merge, or the files
   * could not be read.
   *
   * @param bytes returns the bytes of a file by its key; null if it cannot be read now
   * @throws IllegalArgumentException if the files do not have the rows that the table states
   */
  Optional<Proposal> next(DeltaState state, Function<String, byte @Nullable []> bytes) {
    if (!state.isThere()) {
      return Optional.empty();
    }
    List<TableFile> group = group(state);
    if (group.isEmpty()) {
      return Optional.empty();
    }
    TableColumns columns = state.columns();
    RowsFile merged = new RowsFile(format, columns, group.get(0).day());
    RowSum expected = new RowSum();
    long rows = 0;
    for (TableFile file : group) {
      byte[] content = bytes.apply(layout.fileKey(file.path()));
      if (content == null) {
        return Optional.empty();
      }
      format.read(content, columns, merged::add);
      expected.add(file.sum());
      rows += file.rows();
    }
    RowsFile.Finished finished = merged.finish();
    if (finished.file().rows() != rows || !finished.file().sum().equals(expected.toString())) {
      throw new IllegalArgumentException(
          "the files %s to %s do not have the rows that the table says of them"
              .formatted(group.get(0).path(), group.get(group.size() - 1).path()));
    }
    return Optional.of(proposal(columns, group, finished));
  }

  private Proposal proposal(TableColumns columns, List<TableFile> group, RowsFile.Finished into) {
    long now = info.clock().millis();
    List<ObjectNode> actions = new ArrayList<>();
    actions.add(info.merge(group.size(), into.file()));
    for (TableFile file : group) {
      actions.add(file.remove(columns, now));
    }
    actions.add(into.file().add(columns, now, false));
    return new Proposal(Map.of(layout.fileKey(into.file().path()), into.bytes()), actions);
  }

  /**
   * Returns the files to merge: at least two neighbours. Leaves out files to which more may be
   * added: those of the last day or, without days, the last ones.
   */
  private List<TableFile> group(DeltaState state) {
    List<TableFile> files = new ArrayList<>();
    TableColumns columns = state.columns();
    for (ObjectNode add : state.files()) {
      TableFile.of(columns, add).ifPresent(files::add);
    }
    files.sort(Comparator.comparingLong(TableFile::firstSlot));
    LocalDate last = files.isEmpty() ? null : files.get(files.size() - 1).day();
    List<TableFile> group = new ArrayList<>();
    long size = 0;
    for (TableFile file : files) {
      boolean joins =
          !group.isEmpty()
              && Objects.equals(file.day(), group.get(0).day())
              && size + file.size() <= settings.bytes() / SMALL;
      if (!joins) {
        if (group.size() > 1) {
          return group;
        }
        group.clear();
        size = 0;
      }
      boolean isOver = file.day() == null || !file.day().equals(last);
      if (file.size() <= settings.bytes() / SMALL / 2 && isOver) {
        group.add(file);
        size += file.size();
      }
    }
    return group.size() > 1 && last != null ? group : List.of();
  }
}
