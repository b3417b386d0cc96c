package dev.recorder.logging;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.slf4j.Marker;

/**
 * What happened, by a name that stays even if its message changes. It goes into the log as the
 * marker of the statement, so that whoever writes the log can ask for it; where markers are not
 * written, lines are as they would be without.
 *
 * <p>It also names the arguments of the statement, in their order. Names and fields are an
 * interface: programs read them, and docs/logs.md lists them all.
 */
public interface NamedEvent extends Marker {
  /** Stands for an argument that is a piece of the sentence, and no field. */
  String NO_FIELD = "-";

  /** Of the constant that stands for it. */
  String name();

  /** What the arguments are called, with blanks between. */
  String arguments();

  /** As {@code term_began}. */
  @Override
  default String getName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** One for each argument, {@link #NO_FIELD} among them. */
  default List<String> fields() {
    return arguments().isEmpty() ? List.of() : List.of(arguments().split(" "));
  }

  /** An event stands for itself. */
  @Override
  default void add(Marker reference) {
    throw new UnsupportedOperationException(getName() + " stands for itself");
  }

  @Override
  default boolean remove(Marker reference) {
    return false;
  }

  /** As SLF4J has it, which has given it up for {@link #hasReferences()}. */
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
