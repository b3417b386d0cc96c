package dev.recorder.postgres.sql;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Arrays of numbers in PostgreSQL's text form. */
public final class SqlArrays {
  private SqlArrays() {}

  public static String of(Collection<?> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }

  public static String sorted(Set<Integer> numbers) {
    return of(new TreeSet<>(numbers));
  }
}
