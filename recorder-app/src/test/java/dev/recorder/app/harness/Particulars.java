package dev.recorder.app.harness;

import java.nio.file.Path;
import java.util.Optional;

/**
 * In what a host differs from the others, by mistake or for the sake of a story.
 *
 * @param prefix of the objects' keys
 * @param timing lines of the section {@code [timing]}
 * @param temp folder for temporary files; empty for the cluster's own
 */
public record Particulars(String prefix, String timing, Optional<Path> temp) {
  /** A host like any other. */
  public static final Particulars NONE = new Particulars(Cluster.PREFIX, "", Optional.empty());

  public Particulars withPrefix(String other) {
    return new Particulars(other, timing, temp);
  }

  public Particulars withTiming(String lines) {
    return new Particulars(prefix, lines, temp);
  }

  public Particulars withTemp(Path folder) {
    return new Particulars(prefix, timing, Optional.of(folder));
  }
}
