package dev.recorder.s3;

import dev.recorder.store.ObjectStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleExpiration;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.LifecycleRuleAndOperator;
import software.amazon.awssdk.services.s3.model.LifecycleRuleFilter;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.TransitionStorageClass;

/** Finds the lifecycle rules of a bucket that delete or archive objects of a log. */
final class LifecycleRules {
  private LifecycleRules() {}

  /**
   * Returns the ids of enabled rules that let current objects under {@code folder} expire.
   *
   * <p>It ignores rules for the objects of the store's test, which may expire. It also ignores
   * rules for tags that the objects do not have, and rules for old versions, as slots have none.
   *
   * @param tags the tags of the log's objects
   */
  static List<String> expiring(List<LifecycleRule> rules, String folder, Map<String, String> tags) {
    return which(rules, folder, tags, rule -> deletes(rule.expiration()));
  }

  /** Returns the ids of enabled rules that archive objects under {@code folder}. */
  static List<String> archiving(
      List<LifecycleRule> rules, String folder, Map<String, String> tags) {
    return which(rules, folder, tags, LifecycleRules::archives);
  }

  private static List<String> which(
      List<LifecycleRule> rules,
      String folder,
      Map<String, String> tags,
      Predicate<LifecycleRule> doing) {
    return rules.stream()
        .filter(rule -> rule.status() == ExpirationStatus.ENABLED)
        .filter(doing)
        .filter(rule -> wanted(rule.filter()).stream().allMatch(tag -> has(tags, tag)))
        .filter(rule -> reaches(prefix(rule), folder))
        .map(rule -> Objects.requireNonNullElse(rule.id(), "without an id"))
        .toList();
  }

  /** Returns whether an expiration deletes objects. It may also concern only delete markers. */
  private static boolean deletes(@Nullable LifecycleExpiration expiration) {
    return expiration != null && (expiration.days() != null || expiration.date() != null);
  }

  /**
   * Returns whether a rule archives objects. Objects of every other storage class can be read at
   * once.
   */
  private static boolean archives(LifecycleRule rule) {
    return rule.transitions().stream()
        .anyMatch(
            transition ->
                transition.storageClass() == TransitionStorageClass.GLACIER
                    || transition.storageClass() == TransitionStorageClass.DEEP_ARCHIVE);
  }

  private static boolean has(Map<String, String> tags, Tag wanted) {
    return wanted.value().equals(tags.get(wanted.key()));
  }

  /** Returns the tags that an object must have for the rule to apply. */
  private static List<Tag> wanted(@Nullable LifecycleRuleFilter filter) {
    if (filter == null) {
      return List.of();
    }
    LifecycleRuleAndOperator all = filter.and();
    return filter.tag() != null
        ? List.of(filter.tag())
        : all != null && all.hasTags() ? all.tags() : List.of();
  }

  /** Returns the prefix of a rule. In rules of the older form the prefix is not in the filter. */
  @SuppressWarnings("deprecation")
  private static String prefix(LifecycleRule rule) {
    LifecycleRuleFilter filter = rule.filter();
    String prefix = filter == null ? rule.prefix() : filter.prefix();
    if (filter != null && filter.and() != null) {
      prefix = filter.and().prefix();
    }
    return Objects.requireNonNullElse(prefix, "");
  }

  /**
   * Returns whether a rule with this prefix applies to objects in the folder other than the store's
   * test.
   */
  private static boolean reaches(String prefix, String folder) {
    return folder.startsWith(prefix)
        || (prefix.startsWith(folder) && !prefix.startsWith(folder + ObjectStore.TEST_FOLDER));
  }
}
