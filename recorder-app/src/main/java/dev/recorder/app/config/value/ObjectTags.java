package dev.recorder.app.config.value;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tags of objects, in the order of the file: {@code team=a, stage=prod}. */
public record ObjectTags(Map<String, String> tags) {
  public ObjectTags {
    tags = new LinkedHashMap<>(tags);
  }

  /**
   * Splits the text at commas, and each part at its first {@code =}; trims blanks.
   *
   * @throws IllegalArgumentException if a part has no {@code =}, or a key is there twice
   */
  public static ObjectTags parse(String text) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("no = in " + part);
      }
      if (tags.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException("a key twice");
      }
    }
    return new ObjectTags(tags);
  }

  @Override
  public String toString() {
    return tags.entrySet().stream()
        .map(tag -> tag.getKey() + "=" + tag.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Checks the limits of S3. */
  public record TagLimits() implements Rule<ObjectTags> {
    private static final int MOST = 10;
    private static final int LONGEST_KEY = 128;
    private static final int LONGEST_VALUE = 256;
    private static final Pattern CHARACTERS = Pattern.compile("[\\p{L}\\p{N} +\\-=._:/@]*");

    @Override
    public @Nullable String fault(ObjectTags value) {
      Map<String, String> tags = value.tags();
      if (tags.size() > MOST) {
        return "has %d tags, and an object takes %d".formatted(tags.size(), MOST);
      }
      return tags.entrySet().stream()
              .allMatch(tag -> isKey(tag.getKey()) && fits(tag.getValue(), LONGEST_VALUE))
          ? null
          : "has a tag that S3 does not accept";
    }

    private static boolean isKey(String key) {
      return !key.isEmpty() && !key.startsWith("aws:") && fits(key, LONGEST_KEY);
    }

    private static boolean fits(String text, int longest) {
      return text.length() <= longest && CHARACTERS.matcher(text).matches();
    }

    @Override
    public String allowed() {
      return "at most %d pairs such as team=sales, stage=prod: keys of up to %d and values of up to %d letters, digits, blanks and + - = . _ : / @, no key twice or with aws: first"
          .formatted(MOST, LONGEST_KEY, LONGEST_VALUE);
    }
  }
}
