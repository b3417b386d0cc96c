package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");
  private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");
  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");

  @Test
  void everyRelativeLinkLeadsToAFileAndAPlaceInIt() {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : Documents.all()) {
      for (String link : linksOf(document)) {
        links++;
        String fault = fault(document, link);
        if (!fault.isEmpty()) {
          broken.add(Documents.ROOT.relativize(document) + ": " + link + ": " + fault);
        }
      }
    }
    assertThat(links).isGreaterThan(10);
    assertThat(broken).isEmpty();
  }

  private static List<String> linksOf(Path document) {
    return LINK.matcher(prose(document))
        .results()
        .map(found -> found.group(1))
        .filter(link -> !link.matches("[a-z]+:.*"))
        .toList();
  }

  private static String fault(Path document, String link) {
    URI target = URI.create(link);
    Path file = target.getPath().isEmpty() ? document : document.resolveSibling(target.getPath());
    if (!Files.exists(file)) {
      return "no such file";
    }
    String place = target.getFragment();
    return place == null || placesOf(file).contains(place) ? "" : "no such heading";
  }

  private static Set<String> placesOf(Path document) {
    String prose = prose(document);
    Stream<String> headings =
        HEADING.matcher(prose).results().map(MatchResult::group).map(LinksTest::slug);
    Stream<String> anchors = ANCHOR.matcher(prose).results().map(found -> found.group(1));
    return Stream.concat(headings, anchors).collect(Collectors.toSet());
  }

  /** As the common viewers of Markdown make it. */
  private static String slug(String heading) {
    return heading
        .replaceFirst("^#+ +", "")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  private static String prose(Path document) {
    return CODE_BLOCK.matcher(Documents.text(document)).replaceAll("");
  }
}
