package dev.recorder.app.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this host prints for CloudWatch.
 *
 * @param emf whether it does
 * @param emfRecorders names of recorders that have figures of their own
 */
public record MetricsConfig(boolean emf, List<String> emfRecorders) {
  static final String SECTION = "metrics";

  /** Nothing. */
  static final MetricsConfig OFF = new MetricsConfig(false, List.of());

  static final Setting<Boolean> EMF =
      Setting.flag("emf")
          .otherwise("`false`")
          .means(
              "Whether this host prints its figures to standard output once a minute, as lines of"
                  + " JSON in [CloudWatch's embedded metric format](metrics.md#cloudwatch). A"
                  + " change takes effect after a restart.");
  static final Setting<String> EMF_RECORDERS =
      Setting.text(
              "emf_recorders",
              null,
              "[a-z][a-z0-9_]{0,39}( *, *[a-z][a-z0-9_]{0,39})*",
              "is no list of recorders",
              "names of recorders, with commas between")
          .takes("names, with commas between")
          .means(
              "Recorders that have figures of their own there: each costs as much as a dozen"
                  + " metrics. A change takes effect after a restart.");

  public MetricsConfig {
    emfRecorders = List.copyOf(emfRecorders);
  }

  /** As in the file; null if there are none. */
  @Nullable String written() {
    return emfRecorders.isEmpty() ? null : String.join(", ", emfRecorders);
  }
}
