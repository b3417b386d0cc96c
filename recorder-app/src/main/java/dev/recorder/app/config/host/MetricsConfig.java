package dev.recorder.app.config.host;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.DidYouMean;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The section {@code [metrics]}: the metrics that this host prints for CloudWatch. */
public final class MetricsConfig extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("metrics");

  public static final Setting<Boolean> EMF =
      TABLE.add(
          Setting.flag("emf", false)
              .mayDiffer()
              .means(
                  "Whether this host prints its figures to standard output once a minute, as lines"
                      + " of JSON in [CloudWatch's embedded metric"
                      + " format](metrics.md#cloudwatch)."));
  static final Setting<String> EMF_RECORDERS =
      TABLE.add(
          Setting.text(
                  "emf_recorders",
                  null,
                  "[a-z][a-z0-9_]{0,39}( *, *[a-z][a-z0-9_]{0,39})*",
                  "is no list of recorders",
                  "names of recorders, with commas between")
              .mayDiffer()
              .takes("names, with commas between")
              .means(
                  "Recorders with figures of their own in CloudWatch. Each log adds eight metrics,"
                      + " each recorder of requests seven."));

  private MetricsConfig(SectionReader reader) {
    super(TABLE, reader.inEffect());
  }

  /**
   * Reads the section.
   *
   * @param recorders the names of the recorders in the file
   */
  public static Deferred<MetricsConfig> read(SectionReader reader, Set<String> recorders) {
    reader.read(TABLE);
    List<String> names = names(reader.optional(EMF_RECORDERS));
    names.stream()
        .filter(name -> !recorders.contains(name))
        .forEach(
            name ->
                reader.error(
                    EMF_RECORDERS,
                    "emf_recorders: there is no [recorder:%s]".formatted(name),
                    DidYouMean.among(recorders, name)
                        .map("did you mean %s?"::formatted)
                        .orElse("name recorders of this file")));
    if (names.isEmpty()) {
      // Leaves emf = false out of the effective configuration, since it has no effect.
      reader.set(EMF, reader.value(EMF) ? Boolean.TRUE : null);
    } else {
      reader.set(EMF_RECORDERS, String.join(", ", names));
    }
    return () -> new MetricsConfig(reader);
  }

  private static List<String> names(@Nullable String written) {
    return written == null
        ? List.of()
        : Arrays.stream(written.split(" *, *", -1)).distinct().toList();
  }

  /** Returns the recorders that have metrics of their own. */
  public List<String> emfRecorders() {
    return names(orNull(EMF_RECORDERS));
  }
}
