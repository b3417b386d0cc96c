package dev.recorder.app.config;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.config.recorder.CaptureSection;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.Secret;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.machine.settings.ElectionKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect of a changed file on a running daemon. Recorders are added and removed, and keys that
 * a reload applies change at once. Other changes need a restart.
 *
 * @param config the configuration in effect from now on
 * @param needsRestart the changes that need a restart, a sentence each
 */
public record Reload(RecorderConfig config, List<String> needsRestart) {
  public Reload {
    needsRestart = List.copyOf(needsRestart);
  }

  public static Reload of(RecorderConfig running, RecorderConfig fresh) {
    List<String> needsRestart = new ArrayList<>();
    List<RecorderSection> sections = new ArrayList<>();
    for (RecorderSection wanted : fresh.recorders()) {
      Optional<RecorderSection> same = running.recorder(wanted.name());
      Optional<RecorderSection> sameLock =
          running.recorders().stream().filter(r -> r.lockId() == wanted.lockId()).findFirst();
      if (same.isPresent()) {
        sections.add(same.get().reloading(wanted));
      } else if (wanted.get(RecorderSectionKeys.ELECTION) == ElectionKind.REDIS
          && running.redis() == null) {
        needsRestart.add(
            "[recorder:%s] election = redis, which no recorder had until now"
                .formatted(wanted.name()));
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
            running.redis(),
            running.http(),
            running.metrics(),
            running.log().reloading(fresh.log()),
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
          if (!wanted.equals(value) && isComparable(key, effective, fresh)) {
            differences.add("%s = %s, it stays %s".formatted(key, wanted, value));
          }
        });
    after.forEach(
        (key, value) -> {
          if (!before.containsKey(key) && isComparable(key, effective, fresh)) {
            differences.add("%s = %s".formatted(key, value));
          }
        });
    if (!later(effective.database().password()).equals(later(fresh.database().password()))) {
      differences.add("[" + DatabaseConfig.TABLE.section() + "] password");
    }
    if (!later(redisPassword(effective)).equals(later(redisPassword(fresh)))) {
      differences.add("[" + RedisConfig.TABLE.section() + "] password");
    }
    if (!token(effective).equals(token(fresh))) {
      differences.add("[" + HttpConfig.TABLE.section() + "] token_file, by its contents");
    }
    return differences;
  }

  private static String token(RecorderConfig config) {
    HttpConfig http = config.http();
    return http == null ? "" : password(http.token());
  }

  private static @Nullable Secret redisPassword(RecorderConfig config) {
    RedisConfig redis = config.redis();
    return redis == null ? null : redis.orNull(RedisConfig.PASSWORD);
  }

  /** Returns the present password, as the next connection would read it from the password file. */
  private static String later(@Nullable Secret secret) {
    return secret == null ? "" : secret.current();
  }

  private static String password(@Nullable Secret secret) {
    return secret == null ? "" : secret.reveal();
  }

  /**
   * Whether the key's section is in both files: a section that is added or removed is applied as a
   * whole. If the recorder's kind differs, only the key {@code kind} is comparable, since most
   * other keys differ as a result.
   */
  private static boolean isComparable(String key, RecorderConfig one, RecorderConfig other) {
    String section = key.substring(1, key.indexOf(']'));
    if (!section.startsWith(RecorderSection.SECTION)) {
      return !section.startsWith(CaptureSection.SECTION); // A capture is applied with its recorder.
    }
    String name = section.substring(RecorderSection.SECTION.length());
    Optional<RecorderKind> before = one.recorder(name).map(RecorderSection::kind);
    Optional<RecorderKind> after = other.recorder(name).map(RecorderSection::kind);
    return before.isPresent()
        && after.isPresent()
        && (before.equals(after) || key.endsWith("] " + RecorderSectionKeys.KIND.key()));
  }
}
