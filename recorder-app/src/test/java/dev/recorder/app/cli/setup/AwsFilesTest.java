package dev.recorder.app.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.cli.Run;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.host.MetricsConfig;
import dev.recorder.app.docs.Documents;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What ops/aws sets up gives the rights that {@code recorder init} prints, no more and no fewer.
 * Whether AWS would take the files is checked by cfn-lint and terraform, see ops/aws/README.md.
 */
class AwsFilesTest {
  private static final String TERRAFORM = "ops/aws/terraform/main.tf";
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

  @TempDir private Path folder;

  /** The actions of a policy, by the statement's name. */
  private static Map<String, Set<String>> actions(JsonNode policy) {
    Map<String, Set<String>> actions = new TreeMap<>();
    for (JsonNode statement : policy.get("Statement")) {
      Set<String> all = new TreeSet<>();
      JsonNode action = statement.get("Action");
      (action.isArray() ? action : List.of(action)).forEach(each -> all.add(each.asText()));
      actions.put(statement.get("Sid").asText(), all);
    }
    return actions;
  }

  /** The same of a data source of Terraform. */
  private static Map<String, Set<String>> actions(String dataSource) {
    String text = Documents.text(TERRAFORM);
    String head = "data \"aws_iam_policy_document\" \"" + dataSource + "\" {\n";
    int begin = text.indexOf(head);
    assertThat(begin).as(head).isPositive();
    String block = text.substring(begin, text.indexOf("\n}\n", begin));
    Map<String, Set<String>> actions = new TreeMap<>();
    Pattern.compile("sid +=( \"\\w+\")[^}]*?actions +=( \\[[^]]*])", Pattern.DOTALL)
        .matcher(block)
        .results()
        .forEach(
            found ->
                actions.put(quoted(found.group(1)).get(0), Set.copyOf(quoted(found.group(2)))));
    return actions;
  }

  private static List<String> quoted(String text) {
    return QUOTED.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static JsonNode template() throws Exception {
    return new ObjectMapper().readTree(Documents.text("ops/aws/cloudformation.json"));
  }

  private JsonNode printed(String file) throws Exception {
    Path site = folder.resolve("site");
    if (!Files.exists(site)) {
      Run.command(
              "init",
              site.toString(),
              "--endpoint",
              "db",
              "--database",
              "app",
              "--rds-iam",
              "--region",
              "eu-central-1",
              "--bucket",
              "log",
              "--prefix",
              "p")
          .exits(0);
    }
    return new ObjectMapper().readTree(site.resolve(file).toFile());
  }

  @Test
  void theHostsMayWhatInitPrints() throws Exception {
    Map<String, Set<String>> wanted = actions(printed("iam-policy.json"));

    assertThat(actions(template().at("/Resources/HostRole/Properties/Policies/0/PolicyDocument")))
        .isEqualTo(wanted);
    assertThat(actions("recorder")).isEqualTo(wanted);
  }

  @Test
  void besidesTheyFetchThePackageAndSendFigures() throws Exception {
    Map<String, Set<String>> host =
        actions(template().at("/Resources/HostRole/Properties/Policies/1/PolicyDocument"));
    Map<String, Set<String>> locks =
        actions(template().at("/Resources/LockObjects/Properties/PolicyDocument"));

    assertThat(host).containsOnlyKeys("FetchThePackage", "SendFigures");
    assertThat(locks).isEqualTo(Map.of("LockObjects", Set.of("s3:PutObjectRetention")));
    Map<String, Set<String>> both = new TreeMap<>(host);
    both.putAll(locks);
    assertThat(actions("host")).isEqualTo(both);
  }

  @Test
  void theBucketRefusesWhatThePolicyOfInitRefuses() throws Exception {
    JsonNode wanted = printed("bucket-policy.json");
    JsonNode policy = template().at("/Resources/LogPolicy/Properties/PolicyDocument");

    for (int statement = 0; statement < wanted.get("Statement").size(); statement++) {
      for (String part : List.of("Sid", "Effect", "Principal", "Action", "Condition")) {
        assertThat(policy.at("/Statement/" + statement).get(part))
            .isEqualTo(wanted.at("/Statement/" + statement).get(part));
      }
    }
    Map<String, Set<String>> both = new TreeMap<>(actions(wanted));
    both.put("OnlyByTls", Set.of("s3:*"));
    assertThat(actions(policy)).isEqualTo(both);
    assertThat(actions("bucket")).isEqualTo(both);
    assertThat(Documents.text(TERRAFORM))
        .contains("\"s3:if-none-match\"", "\"s3:ObjectCreationOperation\"");
  }

  @Test
  void bothGiveTheFirstBootAllThatItAsksFor() throws Exception {
    Set<String> asked =
        new TreeSet<>(
            Pattern.compile("\\$\\{(\\w+):\\?")
                .matcher(Documents.text("ops/aws/first-boot.sh"))
                .results()
                .map(found -> found.group(1))
                .toList());
    List<String> given = new ArrayList<>();
    for (String host : List.of("HostA", "HostB")) {
      given.add(
          template().at("/Resources/" + host + "/Properties/UserData/Fn::Base64/Fn::Sub").asText());
    }
    given.add(Documents.text(TERRAFORM));

    assertThat(asked).contains("HOST", "LOG_GROUP").hasSize(11);
    assertThat(given)
        .allSatisfy(
            text ->
                assertThat(
                        Pattern.compile("\\b([A-Z_]+)=['h$]")
                            .matcher(text)
                            .results()
                            .map((MatchResult found) -> found.group(1)))
                    .containsAll(asked));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "compliance"})
  void theFirstBootWritesAFileThatIsRight(String lock) throws Exception {
    Path etc = Files.createDirectories(folder.resolve("etc"));
    Files.writeString(etc.resolve("rds-ca.pem"), "certificates");
    Path command = Files.createDirectories(folder.resolve("bin")).resolve("recorder");
    Files.writeString(
        command,
        "#!/bin/sh\nexec '%s/bin/java' -cp '%s' dev.recorder.app.cli.Main \"$@\"\n"
            .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    assertThat(command.toFile().setExecutable(true)).isTrue();
    ProcessBuilder boot =
        new ProcessBuilder("bash", Documents.path("ops/aws/first-boot.sh").toString());
    boot.environment().put("PATH", command.getParent() + ":" + System.getenv("PATH"));
    boot.environment()
        .putAll(
            Map.ofEntries(
                Map.entry("ETC", etc.toString()),
                Map.entry("HOST", "host-b"),
                Map.entry("ENDPOINT", "db.example.com"),
                Map.entry("DATABASE", "app"),
                Map.entry("DB_USER", "recorder"),
                Map.entry("REGION", "us-east-1"),
                Map.entry("BUCKET", "log-of-orders"),
                Map.entry("PREFIX", "production"),
                Map.entry("RECORDER", "orders"),
                Map.entry("OBJECT_LOCK", lock),
                Map.entry("RETAIN_DAYS", "400"),
                Map.entry("LOG_GROUP", "figures")));
    Process process = boot.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
    RecorderConfig config = ConfigFile.load(etc.resolve("recorder.ini"));
    assertThat(config.machine().name()).isEqualTo("host-b");
    assertThat(config.metrics().get(MetricsConfig.EMF)).isTrue();
    S3Config s3 = config.recorders().get(0).s3();
    assertThat(s3.orNull(S3Config.RETAIN))
        .isEqualTo(lock.equals("none") ? null : Duration.ofDays(400));
  }
}
