package dev.recorder.app.config.recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps of resolving a path: folders, links and their targets.
 *
 * @param places the existing places in the order of the steps, including the file
 * @param endsIn the folder that lacks the next name; null if the file exists
 */
public record PathResolution(Set<Path> places, @Nullable Path endsIn) {
  /** The most links that Linux follows in one path. */
  private static final int MOST_LINKS = 40;

  /** Resolves the path of a file, which need not exist. */
  public static PathResolution to(Path file) throws IOException {
    Path start = file.toAbsolutePath();
    Path at = start.getRoot();
    Deque<Path> names = new ArrayDeque<>();
    start.forEach(names::add);
    Set<Path> places = new LinkedHashSet<>(Set.of(at));
    int links = 0;
    while (!names.isEmpty()) {
      Path next = step(at, names.removeFirst());
      if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
        return new PathResolution(places, at);
      }
      places.add(next);
      if (!Files.isSymbolicLink(next)) {
        at = next;
      } else if (++links > MOST_LINKS) {
        return new PathResolution(places, null); // No program can open such a path.
      } else {
        Path target = Files.readSymbolicLink(next);
        at = target.isAbsolute() ? start.getRoot() : at;
        pushAll(names, target);
      }
    }
    return new PathResolution(places, null);
  }

  private static Path step(Path at, Path name) {
    if (!name.toString().equals("..")) {
      return name.toString().equals(".") ? at : at.resolve(name);
    }
    Path parent = at.getParent();
    return parent == null ? at : parent;
  }

  private static void pushAll(Deque<Path> names, Path target) {
    for (int i = target.getNameCount() - 1; i >= 0; i--) {
      names.addFirst(target.getName(i));
    }
  }
}
