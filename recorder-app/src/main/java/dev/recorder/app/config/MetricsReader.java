package dev.recorder.app.config;

import java.util.List;
import java.util.Set;

/** {@code [metrics]}. */
final class MetricsReader {
  private MetricsReader() {}

  /**
   * @param recorders names of those in the file
   */
  static Buildable<MetricsConfig> read(SectionReader reader, Set<String> recorders) {
    Boolean emf = reader.optional(MetricsConfig.EMF);
    String written = reader.optional(MetricsConfig.EMF_RECORDERS);
    reader.reportUnknownKeys();
    List<String> names =
        written == null ? List.of() : List.of(written.split(" *, *")).stream().distinct().toList();
    names.stream()
        .filter(name -> !recorders.contains(name))
        .forEach(
            name ->
                reader.error(
                    MetricsConfig.EMF_RECORDERS,
                    "emf_recorders: there is no [recorder:%s]".formatted(name),
                    DidYouMean.among(recorders, name)
                        .map("did you mean %s?"::formatted)
                        .orElse("name recorders of this file")));
    return () -> new MetricsConfig(Boolean.TRUE.equals(emf), names);
  }
}
