package dev.recorder.app.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Who besides its owner may change what a path leads to: by writing the file, or by putting another
 * into one of the folders on the way. Only the permission bits are looked at, and only where there
 * are some.
 *
 * <p>Not counted: a group that has the owner's name, since many systems give each user one of their
 * own; a folder such as {@code /tmp}, in which nobody can replace the files of others; and what is
 * mounted read-only, as containers get their configuration.
 */
final class Writers {
  private static final String EVERYBODY = "every user of this host";
  private static final int STICKY = 01000;

  private Writers() {}

  /**
   * A place that others may write.
   *
   * @param whom a group, or every user
   * @param remedy a command
   */
  record Opening(Path path, String whom, String remedy) {}

  /** The first such place on the way to a file, itself included; empty if there is none. */
  static Optional<Opening> of(Path file) {
    Set<Path> way = new LinkedHashSet<>();
    try {
      collect(file.toAbsolutePath(), way);
      collect(file.toRealPath(), way);
    } catch (IOException | SecurityException absent) {
      return Optional.empty(); // Who reads it says so.
    }
    return way.stream().map(Writers::at).flatMap(Optional::stream).findFirst();
  }

  /** Whether every user of the host may write the file itself. */
  static boolean isEverybodys(Path file) {
    return at(file).filter(opening -> opening.whom().equals(EVERYBODY)).isPresent();
  }

  private static void collect(Path from, Set<Path> way) {
    for (Path path = from; path != null; path = path.getParent()) {
      way.add(path);
    }
  }

  private static Optional<Opening> at(Path path) {
    try {
      PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
      if (view == null || Files.getFileStore(path).isReadOnly() || isSticky(path)) {
        return Optional.empty();
      }
      return opening(path, view.readAttributes());
    } catch (IOException | UnsupportedOperationException unknown) {
      return Optional.empty();
    }
  }

  private static Optional<Opening> opening(Path path, PosixFileAttributes attributes) {
    if (attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
      return Optional.of(new Opening(path, EVERYBODY, "chmod o-w " + path));
    }
    String group = attributes.group().getName();
    return attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
            && !group.equals(attributes.owner().getName())
        ? Optional.of(new Opening(path, "group " + group, "chmod g-w " + path))
        : Optional.empty();
  }

  private static boolean isSticky(Path path) throws IOException {
    try {
      return Files.isDirectory(path)
          && Files.getAttribute(path, "unix:mode") instanceof Integer mode
          && (mode & STICKY) != 0;
    } catch (IllegalArgumentException otherPlatform) {
      return false;
    }
  }
}
