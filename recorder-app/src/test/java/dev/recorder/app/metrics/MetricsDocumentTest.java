package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.docs.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The table of docs/metrics.md is what /metrics says. */
class MetricsDocumentTest {
  private static final String PAGE = "docs/metrics.md";
  private static final Pattern PLACE =
      Pattern.compile("(?s)(?<=<!-- metrics -->\n).*?(?=<!-- end -->)");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Set<String> LIMITED =
      Set.of("role", "kind", "reason", "result", "area", "state");

  @BeforeAll
  static void writeThePageIfThatIsAskedFor() throws IOException {
    if (Boolean.getBoolean("docs.write")) {
      String page = PLACE.matcher(Documents.text(PAGE)).replaceFirst(quoted(table()));
      Files.writeString(Documents.path(PAGE), page);
    }
  }

  @Test
  void theTableIsWhatIsSaid() {
    Matcher written = PLACE.matcher(Documents.text(PAGE));

    assertThat(written.find()).as("the page has marks for the metrics").isTrue();
    assertThat(written.group())
        .as("if /metrics is right, -Dtest=MetricsDocumentTest -Ddocs.write=true writes it anew")
        .isEqualTo(table());
  }

  @Test
  void namesFollowTheConventions() {
    types()
        .forEach(
            (name, type) -> {
              assertThat(name).matches("(recorder|jvm|process)_[a-z_]+");
              assertThat(name.endsWith("_total")).as(name).isEqualTo(type.equals("counter"));
            });
  }

  private static String quoted(String table) {
    return Matcher.quoteReplacement(table);
  }

  private static Map<String, String> types() {
    Map<String, String> types = new LinkedHashMap<>();
    for (String line : Example.text().lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        String[] words = line.split(" ");
        types.put(words[2], words[3]);
      }
    }
    return types;
  }

  private static String table() {
    Map<String, String> helps =
        Example.text()
            .lines()
            .filter(line -> line.startsWith("# HELP "))
            .map(line -> line.split(" ", 4))
            .collect(Collectors.toMap(words -> words[2], words -> words[3]));
    String head = "| Name | Type | Labels | Meaning |\n|---|---|---|---|\n";
    List<String> rows = new ArrayList<>(List.of(head));
    types()
        .forEach(
            (name, type) ->
                rows.add(
                    "| `%s` | %s | %s | %s |\n"
                        .formatted(name, type, labels(name), helps.get(name))));
    return String.join("", rows);
  }

  /** The labels of a family, with their values where these are few and always the same. */
  private static String labels(String family) {
    Map<String, Set<String>> labels = new LinkedHashMap<>();
    for (String line : Example.text().lines().toList()) {
      Matcher sample = SAMPLE.matcher(line);
      if (sample.matches() && sample.group(1).startsWith(family) && sample.group(2) != null) {
        Matcher label = LABEL.matcher(sample.group(2));
        while (label.find() && !label.group(1).equals("le")) {
          labels.computeIfAbsent(label.group(1), any -> new TreeSet<>()).add(label.group(2));
        }
      }
    }
    return labels.entrySet().stream()
        .map(
            label ->
                LIMITED.contains(label.getKey())
                    ? "`%s`: %s".formatted(label.getKey(), String.join(", ", label.getValue()))
                    : "`%s`".formatted(label.getKey()))
        .collect(Collectors.joining("; "));
  }
}
