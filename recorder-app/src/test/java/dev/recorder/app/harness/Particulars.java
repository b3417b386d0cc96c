package dev.recorder.app.harness;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * In what a host differs from the others, by mistake or for the sake of a story.
 *
 * @param prefix of the objects' keys
 * @param timing lines of the section {@code [timing]}
 * @param temp folder for temporary files; empty for the cluster's own
 * @param jvm options of the process
 */
public record Particulars(String prefix, String timing, Optional<Path> temp, List<String> jvm) {
  /** A host like any other. */
  public static final Particulars NONE =
      new Particulars(Cluster.PREFIX, "", Optional.empty(), List.of());

  /** Who is active stays so; else a story that takes long would meet the primary's return. */
  public static final Particulars STEADY = NONE.withTiming("failback_after = 1h");

  /** Steady, and as slow to judge as can be: for stories in which nobody is to be replaced. */
  public static final Particulars PATIENT =
      STEADY.withTiming("network_timeout = 2s\nlease = 2700ms\ntakeover_after = 3s");

  public Particulars withPrefix(String other) {
    return new Particulars(other, timing, temp, jvm);
  }

  /** With further lines. */
  public Particulars withTiming(String lines) {
    return new Particulars(prefix, timing + lines + "\n", temp, jvm);
  }

  public Particulars withTemp(Path folder) {
    return new Particulars(prefix, timing, Optional.of(folder), jvm);
  }

  public Particulars withJvm(String... options) {
    return new Particulars(prefix, timing, temp, List.of(options));
  }
}
