package dev.recorder.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Transition;
import software.amazon.awssdk.services.s3.model.TransitionStorageClass;

class LifecycleRulesTest {
  private static final String FOLDER = "prod/orders/";
  private static final Tag TAG = Tag.builder().key("k").value("v").build();

  private static final Map<String, String> NO_TAGS = Map.of();

  @ParameterizedTest
  @ValueSource(
      strings = {"", "prod/", "prod/orders", "prod/orders/", "prod/orders/0", "prod/orders/_log"})
  void aRuleThatMeetsTheFolderReachesIt(String prefix) {
    assertThat(expiring(rule -> rule.filter(f -> f.prefix(prefix)))).containsExactly("rule");
    assertThat(expiring(rule -> rule.filter(f -> f.and(a -> a.prefix(prefix)))))
        .containsExactly("rule");
  }

  @ParameterizedTest
  @ValueSource(strings = {"prod/audit/", "staging/", "prod/orders2/", "prod/orders/_store_test/"})
  void aRuleForOtherObjectsDoesNot(String prefix) {
    assertThat(expiring(rule -> rule.filter(f -> f.prefix(prefix)))).isEmpty();
    assertThat(expiring(rule -> rule.filter(f -> f.and(a -> a.prefix(prefix))))).isEmpty();
  }

  @Test
  void aRuleWithoutAFilterReachesTheWholeBucket() {
    assertThat(expiring(rule -> {})).containsExactly("rule");
    assertThat(expiring(rule -> rule.filter(f -> f.objectSizeGreaterThan(1L)))).hasSize(1);
  }

  @Test
  @SuppressWarnings("deprecation")
  void aRuleOfTheOlderFormCounts() {
    assertThat(expiring(rule -> rule.prefix("prod/"))).containsExactly("rule");
    assertThat(expiring(rule -> rule.prefix("staging/"))).isEmpty();
  }

  @Test
  void aRuleThatIsSwitchedOffDoesNotCount() {
    assertThat(expiring(rule -> rule.status(ExpirationStatus.DISABLED))).isEmpty();
  }

  @Test
  void aRuleForTagsCountsIfTheObjectsHaveThem() {
    LifecycleRule tagged =
        LifecycleRule.builder()
            .id("rule")
            .status(ExpirationStatus.ENABLED)
            .expiration(e -> e.days(30))
            .filter(f -> f.and(a -> a.prefix("prod/").tags(TAG)))
            .build();

    assertThat(LifecycleRules.expiring(List.of(tagged), FOLDER, Map.of("k", "v", "a", "b")))
        .containsExactly("rule");
    assertThat(LifecycleRules.expiring(List.of(tagged), FOLDER, Map.of("k", "other"))).isEmpty();
  }

  @Test
  void aRuleForTaggedObjectsDoesNotCountWithoutTags() {
    assertThat(expiring(rule -> rule.filter(f -> f.tag(TAG)))).isEmpty();
    assertThat(expiring(rule -> rule.filter(f -> f.and(a -> a.prefix("").tags(TAG))))).isEmpty();
  }

  @Test
  void onlyRulesThatDeleteCurrentObjectsCount() {
    assertThat(expiring(rule -> rule.expiration(e -> e.expiredObjectDeleteMarker(true)))).isEmpty();
    assertThat(expiring(rule -> rule.expiration(e -> e.date(Instant.EPOCH)))).hasSize(1);
    LifecycleRule oldVersions =
        LifecycleRule.builder()
            .status(ExpirationStatus.ENABLED)
            .noncurrentVersionExpiration(n -> n.noncurrentDays(1))
            .build();
    assertThat(LifecycleRules.expiring(List.of(oldVersions), FOLDER, NO_TAGS)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"GLACIER", "DEEP_ARCHIVE"})
  void aRuleThatArchivesIsFound(TransitionStorageClass archive) {
    assertThat(archiving(archive, rule -> rule.filter(f -> f.prefix("prod/"))))
        .containsExactly("rule");
    assertThat(archiving(archive, rule -> rule.filter(f -> f.prefix("staging/")))).isEmpty();
    assertThat(archiving(archive, rule -> rule.status(ExpirationStatus.DISABLED))).isEmpty();
    assertThat(archiving(archive, rule -> rule.filter(f -> f.tag(TAG)))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GLACIER", "DEEP_ARCHIVE"})
  void aClassThatIsReadLikeAnyOtherIsNoArchive(TransitionStorageClass other) {
    assertThat(archiving(other, rule -> {})).isEmpty();
  }

  @Test
  void aRuleThatDeletesDoesNotArchive() {
    LifecycleRule deletes =
        LifecycleRule.builder()
            .status(ExpirationStatus.ENABLED)
            .expiration(e -> e.days(30))
            .build();
    assertThat(LifecycleRules.archiving(List.of(deletes), FOLDER, NO_TAGS)).isEmpty();
  }

  private static List<String> archiving(
      TransitionStorageClass archive, Consumer<LifecycleRule.Builder> change) {
    LifecycleRule.Builder rule =
        LifecycleRule.builder()
            .id("rule")
            .status(ExpirationStatus.ENABLED)
            .transitions(List.of(Transition.builder().days(30).storageClass(archive).build()));
    change.accept(rule);
    assertThat(LifecycleRules.expiring(List.of(rule.build()), FOLDER, NO_TAGS)).isEmpty();
    return LifecycleRules.archiving(List.of(rule.build()), FOLDER, NO_TAGS);
  }

  private static List<String> expiring(Consumer<LifecycleRule.Builder> change) {
    LifecycleRule.Builder rule =
        LifecycleRule.builder()
            .id("rule")
            .status(ExpirationStatus.ENABLED)
            .expiration(e -> e.days(30));
    change.accept(rule);
    return LifecycleRules.expiring(List.of(rule.build()), FOLDER, NO_TAGS);
  }
}
