package dev.recorder.s3;

import dev.recorder.store.ObjectStore;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleExpiration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleAndOperator;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.TransitionStorageClass;

/** Which of a bucket's lifecycle rules delete objects of a log, or keep them from being read. */
final class LifecycleRules {
  private LifecycleRules() {}

  /**
   * The ids of enabled rules that let current objects under {@code folder} expire.
   *
   * <p>Objects of the store's test may expire. Rules for tagged objects do not matter: the recorder
   * sets no tags. Old versions of objects do not matter either: no slot has one.
   */
  static List<String> expiring(List<LifecycleRule> rules, String folder) {
    return which(rules, folder, rule -> deletes(rule.expiration()));
  }

  /** The same of rules that archive them. */
  static List<String> archiving(List<LifecycleRule> rules, String folder) {
    return which(rules, folder, LifecycleRules::archives);
  }

  private static List<String> which(
      List<LifecycleRule> rules, String folder, Predicate<LifecycleRule> doing) {
    return rules.stream()
        .filter(rule -> rule.status() == ExpirationStatus.ENABLED)
        .filter(doing)
        .filter(rule -> !wantsTags(rule.filter()))
        .filter(rule -> reaches(prefix(rule), folder))
        .map(rule -> Objects.requireNonNullElse(rule.id(), "without an id"))
        .toList();
  }

  /** An expiration may also be about markers of deleted objects only. */
  private static boolean deletes(@Nullable LifecycleExpiration expiration) {
    return expiration != null && (expiration.days() != null || expiration.date() != null);
  }

  /** Every other class is read like any object. */
  private static boolean archives(LifecycleRule rule) {
    return rule.transitions().stream()
        .anyMatch(
            transition ->
                transition.storageClass() == TransitionStorageClass.GLACIER
                    || transition.storageClass() == TransitionStorageClass.DEEP_ARCHIVE);
  }

  private static boolean wantsTags(@Nullable LifecycleRuleFilter filter) {
    if (filter == null) {
      return false;
    }
    LifecycleRuleAndOperator all = filter.and();
    return filter.tag() != null || (all != null && all.hasTags() && !all.tags().isEmpty());
  }

  /** Rules of the older form have the prefix themselves. */
  @SuppressWarnings("deprecation")
  private static String prefix(LifecycleRule rule) {
    LifecycleRuleFilter filter = rule.filter();
    String prefix = filter == null ? rule.prefix() : filter.prefix();
    if (filter != null && filter.and() != null) {
      prefix = filter.and().prefix();
    }
    return Objects.requireNonNullElse(prefix, "");
  }

  /** Whether one is within the other, and it is not the store's test alone. */
  private static boolean reaches(String prefix, String folder) {
    return folder.startsWith(prefix)
        || (prefix.startsWith(folder) && !prefix.startsWith(folder + ObjectStore.TEST_FOLDER));
  }
}
