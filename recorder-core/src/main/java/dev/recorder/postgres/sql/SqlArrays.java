package dev.recorder.postgres.sql;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Arrays of numbers in the text form that PostgreSQL reads. */
public final class SqlArrays {
  private SqlArrays() {}

  /** In the order of the collection. */
  public static String of(Collection<?> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }

  /** In ascending order. */
  public static String sorted(Set<Integer> numbers) {
    return of(new TreeSet<>(numbers));
  }
}
