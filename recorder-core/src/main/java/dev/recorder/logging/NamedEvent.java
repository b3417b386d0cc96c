package dev.recorder.logging;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.slf4j.Marker;

/**
 * The name of the event that a log line reports. The name stays the same if the message changes.
 * The event is the marker of the log statement, so that a log format can print its name. Formats
 * without markers are not affected.
 *
 * <p>An event also names the arguments of the statement, in their order. Names and fields are an
 * interface: programs read them, and docs/logs.md lists them.
 */
public interface NamedEvent extends Marker {
  /** Marks an argument that is part of the sentence and not a field. */
  String NO_FIELD = "-";

  String name();

  /** Returns the names of the arguments, separated by blanks. */
  String arguments();

  /** Returns the name of the event, such as {@code term_began}. */
  @Override
  default String getName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the name of each argument, including {@link #NO_FIELD}. */
  default List<String> fields() {
    return arguments().isEmpty() ? List.of() : List.of(arguments().split(" "));
  }

  @Override
  default void add(Marker reference) {
    throw new UnsupportedOperationException(getName() + " stands for itself");
  }

  @Override
  default boolean remove(Marker reference) {
    return false;
  }

  /** Deprecated by SLF4J in favour of {@link #hasReferences()}. */
  @Override
  @Deprecated
  default boolean hasChildren() {
    return false;
  }

  @Override
  default boolean hasReferences() {
    return false;
  }

  @Override
  default Iterator<Marker> iterator() {
    return Collections.emptyIterator();
  }

  @Override
  default boolean contains(Marker other) {
    return equals(other);
  }

  @Override
  default boolean contains(String name) {
    return getName().equals(name);
  }
}
