package dev.recorder.capture;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The columns of a relation that a capture takes. Users choose columns by name, but another column
 * may get the name later. So the choice is kept by column number, which a rename does not change. A
 * name decides only about a column that was added later, until a {@code schema} row is written with
 * or without that column.
 *
 * @param relation the oid of the relation that has these numbers
 * @param choice the choice of columns by name
 * @param chosen the numbers of captured columns, empty if all are captured; those of {@link
 *     ColumnChoice#only} come first, in its order
 * @param leftOut the numbers of columns that are left out; those of {@link ColumnChoice#except}
 *     come first, in its order
 */
public record PinnedColumns(
    long relation, ColumnChoice choice, List<Integer> chosen, List<Integer> leftOut) {
  public PinnedColumns {
    chosen = List.copyOf(chosen);
    leftOut = List.copyOf(leftOut);
  }

  /** Takes all columns of a relation. */
  public static PinnedColumns all(long relation) {
    return new PinnedColumns(relation, ColumnChoice.ALL, List.of(), List.of());
  }

  /**
   * Takes the columns that now have the names of a choice.
   *
   * @param there the columns of the relation, including all that the choice names
   */
  public static PinnedColumns of(long relation, ColumnChoice choice, List<CapturedColumn> there) {
    if (choice.equals(ColumnChoice.ALL)) {
      return all(relation);
    }
    boolean isOnly = !choice.only().isEmpty();
    Stream<Integer> others =
        there.stream()
            .filter(column -> choice.has(column.name()) != isOnly)
            .map(CapturedColumn::number);
    Stream<Integer> named = numbers(isOnly ? choice.only() : choice.except(), there);
    return isOnly
        ? new PinnedColumns(relation, choice, named.toList(), others.toList())
        : new PinnedColumns(relation, choice, others.toList(), named.toList());
  }

  private static Stream<Integer> numbers(List<String> names, List<CapturedColumn> there) {
    return names.stream()
        .flatMap(name -> there.stream().filter(column -> column.name().equals(name)))
        .map(CapturedColumn::number);
  }

  /** Returns whether a column is captured. */
  public boolean has(CapturedColumn column) {
    return !leftOut.contains(column.number())
        && (chosen.contains(column.number()) || choice.has(column.name()));
  }

  /**
   * Returns whether another choice of the same kind ({@code only} or {@code except}) would capture
   * a column that this one leaves out by number. The name in the choice may then mean another
   * column.
   */
  public boolean isMistaken(ColumnChoice next, CapturedColumn column) {
    boolean isAlike = choice.only().isEmpty() == next.only().isEmpty();
    return isAlike
        && !next.equals(ColumnChoice.ALL)
        && leftOut.contains(column.number())
        && choice.has(column.name())
        && next.has(column.name());
  }

  /** Returns the present name of a column that the choice named; empty if there is none. */
  public Optional<String> nameNow(String name, List<CapturedColumn> there) {
    int onlyAt = choice.only().indexOf(name);
    int exceptAt = choice.except().indexOf(name);
    if (onlyAt < 0 && exceptAt < 0) {
      return Optional.empty();
    }
    int number = onlyAt < 0 ? leftOut.get(exceptAt) : chosen.get(onlyAt);
    return there.stream()
        .filter(column -> column.number() == number)
        .map(CapturedColumn::name)
        .findFirst();
  }
}
