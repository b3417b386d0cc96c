package dev.recorder.capture;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which columns of a relation a capture takes. A choice of columns is made by their names, but a
 * name may be another column's later. So a column that is captured or left out by its name stays so
 * by its number, which it keeps when it is renamed. A name decides only about columns that came
 * later, as long as no {@code schema} row was written with or without them.
 *
 * @param relation the oid of the relation that has these numbers
 * @param choice the names
 * @param chosen the numbers of columns that are captured, unless all are; those that {@link
 *     ColumnChoice#only} has come first, in its order
 * @param leftOut the numbers of columns that are left out; those that {@link ColumnChoice#except}
 *     has come first, in its order
 */
public record PinnedColumns(
    long relation, ColumnChoice choice, List<Integer> chosen, List<Integer> leftOut) {
  public PinnedColumns {
    chosen = List.copyOf(chosen);
    leftOut = List.copyOf(leftOut);
  }

  /** All columns of a relation. */
  public static PinnedColumns all(long relation) {
    return new PinnedColumns(relation, ColumnChoice.ALL, List.of(), List.of());
  }

  /**
   * The columns that have the names of a choice.
   *
   * @param there the columns of the relation, among them all that the choice names
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

  /** Whether it is captured. */
  public boolean has(CapturedColumn column) {
    return !leftOut.contains(column.number())
        && (chosen.contains(column.number()) || choice.has(column.name()));
  }

  /**
   * Whether another choice names columns in the same way and would capture a column that this one
   * leaves out under whatever name it has: the name in the choice may mean another column.
   */
  public boolean isMistaken(ColumnChoice next, CapturedColumn column) {
    boolean isAlike = choice.only().isEmpty() == next.only().isEmpty();
    return isAlike
        && !next.equals(ColumnChoice.ALL)
        && leftOut.contains(column.number())
        && choice.has(column.name())
        && next.has(column.name());
  }

  /** The name that a column has now which was named in the choice. */
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
