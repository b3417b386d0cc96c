package dev.recorder.app.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a changed file means for a machine that runs: recorders come and go, and each may change its
 * {@code primary} and {@code failback}; everything else stays as it is until a restart.
 *
 * @param config what is in effect from now on
 * @param needsRestart what the file says and the machine does not do yet, one sentence each
 */
public record Reload(RecorderConfig config, List<String> needsRestart) {
  public Reload {
    needsRestart = List.copyOf(needsRestart);
  }

  /** From what is in effect to what can be of {@code fresh}. */
  public static Reload of(RecorderConfig running, RecorderConfig fresh) {
    List<String> needsRestart = new ArrayList<>();
    List<RecorderSection> sections = new ArrayList<>();
    for (RecorderSection wanted : fresh.recorders()) {
      Optional<RecorderSection> same = running.recorder(wanted.name());
      Optional<RecorderSection> sameLock =
          running.recorders().stream().filter(r -> r.lockId() == wanted.lockId()).findFirst();
      if (same.isPresent()) {
        sections.add(same.get().preferring(wanted.primary(), wanted.failback()));
      } else if (sameLock.isEmpty()) {
        sections.add(wanted);
      } else {
        needsRestart.add(
            "[recorder:%s] lockid = %d, which recorder %s had until now"
                .formatted(wanted.name(), wanted.lockId(), sameLock.get().name()));
      }
    }
    if (sections.isEmpty()) {
      needsRestart.add("no recorder that runs here is left in the file: all of them go on");
      sections.addAll(running.recorders());
    }
    RecorderConfig config =
        new RecorderConfig(
            running.machine(),
            running.database(),
            running.timing(),
            sections,
            running.sourceFile(),
            fresh.warnings());
    needsRestart.addAll(differences(config, fresh));
    return new Reload(config, needsRestart);
  }

  private static List<String> differences(RecorderConfig effective, RecorderConfig fresh) {
    Map<String, String> before = EffectiveConfig.of(effective).values();
    Map<String, String> after = new LinkedHashMap<>(EffectiveConfig.of(fresh).values());
    List<String> differences = new ArrayList<>();
    before.forEach(
        (key, value) -> {
          String wanted = after.getOrDefault(key, "nothing");
          if (!wanted.equals(value) && hasSection(fresh, key)) {
            differences.add("%s = %s, it stays %s".formatted(key, wanted, value));
          }
        });
    after.forEach(
        (key, value) -> {
          if (!before.containsKey(key) && hasSection(effective, key)) {
            differences.add("%s = %s".formatted(key, value));
          }
        });
    if (!samePassword(effective, fresh)) {
      differences.add("[" + DatabaseConfig.SECTION + "] password");
    }
    return differences;
  }

  private static boolean samePassword(RecorderConfig one, RecorderConfig other) {
    return password(one).equals(password(other));
  }

  private static Optional<String> password(RecorderConfig config) {
    return Optional.ofNullable(config.database().password()).map(Secret::reveal);
  }

  /** Whether the section of this key is in both: one that comes or goes is applied as a whole. */
  private static boolean hasSection(RecorderConfig config, String key) {
    String section = key.substring(1, key.indexOf(']'));
    return !section.startsWith(RecorderSection.SECTION)
        || config.recorder(section.substring(RecorderSection.SECTION.length())).isPresent();
  }
}
