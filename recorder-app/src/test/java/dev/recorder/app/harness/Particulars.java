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
 * @param handlers jars with handlers, as an operator adds them
 * @param otherBuild classes that stand before the product's; none for this build
 */
public record Particulars(
    String prefix,
    String timing,
    Optional<Path> temp,
    List<String> jvm,
    List<Path> handlers,
    List<Path> otherBuild) {
  /** A host like any other. */
  public static final Particulars NONE =
      new Particulars(Cluster.PREFIX, "", Optional.empty(), List.of(), List.of(), List.of());

  /** Who is active stays so; else a story that takes long would meet the primary's return. */
  public static final Particulars STEADY = NONE.withTiming("failback_after = 1h");

  /**
   * As slow to judge as can be. Two hosts, a database and a store on a busy machine do pause for a
   * second, and who is then replaced was rightly replaced; that is not what the story is about.
   */
  public static final String SLOW_TO_JUDGE =
      "network_timeout = 2s\nlease = 2700ms\ntakeover_after = 3s";

  /** Steady and slow to judge: nobody is replaced but by the story's own fault. */
  public static final Particulars PATIENT = STEADY.withTiming(SLOW_TO_JUDGE);

  public Particulars withPrefix(String other) {
    return new Particulars(other, timing, temp, jvm, handlers, otherBuild);
  }

  /** With further lines. */
  public Particulars withTiming(String lines) {
    return new Particulars(prefix, timing + lines + "\n", temp, jvm, handlers, otherBuild);
  }

  /** With the time limits that there are without configuration. */
  public Particulars unhurried() {
    return new Particulars(prefix, "", temp, jvm, handlers, otherBuild);
  }

  public Particulars withTemp(Path folder) {
    return new Particulars(prefix, timing, Optional.of(folder), jvm, handlers, otherBuild);
  }

  public Particulars withJvm(String... options) {
    return new Particulars(prefix, timing, temp, List.of(options), handlers, otherBuild);
  }

  /** With the handlers of these jars on the class path. */
  public Particulars withHandlers(Path... jars) {
    return new Particulars(prefix, timing, temp, jvm, List.of(jars), otherBuild);
  }

  /** With the classes of another build in front of this one's. */
  public Particulars withBuild(Path classes) {
    return new Particulars(prefix, timing, temp, jvm, handlers, List.of(classes));
  }
}
