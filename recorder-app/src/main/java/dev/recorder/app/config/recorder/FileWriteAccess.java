package dev.recorder.app.config.recorder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds other users who may change a file: by writing it, or by replacing a folder or link on the
 * way to it. Looks only at owners and permission bits, if the file system has them.
 *
 * <p>Root, the user of this process and the owner of the configuration are trusted. Three cases are
 * not reported. First, write access of a group with the owner's name, since many systems give each
 * user such a group. Second, a sticky folder such as {@code /tmp}, where other users cannot replace
 * files. It is reported if it lacks the file, which other users could create. Third, read-only
 * mounts, as containers have for their configuration.
 */
public final class FileWriteAccess {
  private static final String EVERYBODY = "every user of this host";
  private static final int STICKY = 01000;

  private final Set<UserPrincipal> trusted = new HashSet<>();

  private FileWriteAccess() {}

  /**
   * Returns a check that trusts root, the user of this process and the owner of {@code
   * configuration}.
   */
  public static FileWriteAccess besidesTheOwnerOf(Path configuration) {
    FileWriteAccess writers = new FileWriteAccess();
    Stream.of(configuration, Path.of("/"), Path.of("/proc/self")).forEach(writers::trust);
    return writers;
  }

  private void trust(Path owned) {
    try {
      trusted.add(Files.getOwner(owned));
    } catch (IOException | UnsupportedOperationException | SecurityException unknown) {
      // An owner that cannot be read is not trusted.
    }
  }

  /**
   * A place that other users may write.
   *
   * @param whom a user, a group, or every user
   * @param remedy a command that takes the access away
   */
  public record Opening(Path path, String whom, String remedy) {}

  /**
   * Returns the first place on the way to a file, including the file, that other users may write;
   * empty if there is none. For a missing file, the last place is the folder that lacks it.
   */
  public Optional<Opening> of(Path file) {
    try {
      PathResolution way = PathResolution.to(file);
      return way.places().stream()
          .map(place -> at(place, place.equals(way.endsIn())))
          .flatMap(Optional::stream)
          .findFirst();
    } catch (IOException | SecurityException unknown) {
      return Optional.empty(); // Reading the file will report this failure.
    }
  }

  /** Whether every user of the host may write the file itself. */
  public static boolean isEverybodys(Path file) {
    try {
      PosixFileAttributes attributes = attributes(file);
      return attributes != null
          && byPermission(file, attributes)
              .filter(opening -> opening.whom().equals(EVERYBODY))
              .isPresent();
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  private Optional<Opening> at(Path path, boolean makesRoomForTheFile) {
    try {
      PosixFileAttributes attributes = attributes(path);
      if (attributes == null) {
        return Optional.empty();
      }
      Optional<Opening> byOwner = byOwner(path, attributes);
      boolean closed =
          attributes.isSymbolicLink() // The permissions of a link have no effect.
              || (attributes.isDirectory() && isSticky(path) && !makesRoomForTheFile);
      return byOwner.isPresent() || closed ? byOwner : byPermission(path, attributes);
    } catch (IOException | UnsupportedOperationException unknown) {
      return Optional.empty();
    }
  }

  /** Returns null if the file system has none, or if the mount is read-only. */
  private static @Nullable PosixFileAttributes attributes(Path path) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view == null) {
      return null;
    }
    PosixFileAttributes attributes = view.readAttributes();
    // A single file may be a mount. A link belongs to the mount of its folder, and its target is a
    // place of its own.
    Path folder = path.toAbsolutePath().getParent();
    Path mounted = attributes.isSymbolicLink() && folder != null ? folder : path;
    return Files.getFileStore(mounted).isReadOnly() ? null : attributes;
  }

  private Optional<Opening> byOwner(Path path, PosixFileAttributes attributes) {
    return trusted.contains(attributes.owner())
        ? Optional.empty()
        : Optional.of(
            new Opening(path, "user " + attributes.owner().getName(), "chown root " + path));
  }

  private static Optional<Opening> byPermission(Path path, PosixFileAttributes attributes) {
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
      return Files.getAttribute(path, "unix:mode") instanceof Integer mode && (mode & STICKY) != 0;
    } catch (IllegalArgumentException otherPlatform) {
      return false;
    }
  }
}
