package dev.recorder.app.config.ini;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The grammar of a file. A line is blank, a comment (starting with {@code ;} or {@code #}), a
 * {@code [section]} with an optional comment, or {@code key = value}. There are no continuation
 * lines. Findings do not repeat the line, since any line may hold a password.
 */
public final class IniScanner {
  /** Excludes URLs: findings repeat section names, and a URL may hold a password. */
  private static final Pattern HEADER =
      Pattern.compile("\\[((?:(?!://)[^\\[\\]])*)](?:[ \\t]*[;#].*)?");

  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069&&[^\\t]]");

  private static final int LONGEST_HEADER = 200;

  private final List<SettingTable> tables;
  private final Findings findings;
  private final IniDocument document = new IniDocument();
  private @Nullable IniSection current;
  private boolean repeated;
  private boolean strayReported;

  private IniScanner(List<SettingTable> tables, Findings findings) {
    this.tables = tables;
    this.findings = findings;
  }

  /**
   * Scans a file.
   *
   * @param tables the tables of sections, for the second spellings of sections and keys
   */
  public static IniDocument scan(String text, List<SettingTable> tables, Findings findings) {
    IniScanner scanner = new IniScanner(tables, findings);
    int line = 1;
    for (String content : text.split("\\r?\\n", -1)) {
      scanner.line(line, trim(content));
      line++;
    }
    return scanner.document;
  }

  private void line(int line, String content) {
    if (content.isEmpty() || content.startsWith(";") || content.startsWith("#")) {
      return;
    }
    if (CONTROL.matcher(content).find()) {
      findings.error(line, "the line holds a control character", "write it as plain text");
    } else if (content.startsWith("[")) {
      header(line, content);
    } else {
      entry(line, content);
    }
  }

  private void header(int line, String content) {
    Matcher header = HEADER.matcher(content);
    boolean whole = header.matches() && content.length() <= LONGEST_HEADER;
    if (!whole) {
      findings.error(
          line,
          "the section header is broken",
          "write [name], with nothing behind it but a comment");
    }
    String written = whole ? trim(header.group(1)) : content;
    String name = firstSpelling(written);
    document.headers().put(line, name);
    IniSection earlier = document.sections().get(name);
    repeated = earlier != null;
    if (earlier == null) {
      current = new IniSection(name, written, line);
      // Keys below a broken header belong to no section, and are not reported one by one.
      if (whole) {
        document.sections().put(name, current);
      }
    } else {
      current = earlier;
      findings.error(
          line,
          "section [%s] again, first as [%s] on line %d"
              .formatted(written, earlier.writtenAs(), earlier.line()),
          "keep one of them, with the keys of both");
    }
  }

  private void entry(int line, String content) {
    int equals = content.indexOf('=');
    if (equals < 1) {
      findings.error(
          line,
          "neither a section, a key nor a comment",
          "write key = value, or ; before a comment");
      return;
    }
    String written = trim(content.substring(0, equals));
    if (written.length() > LONGEST_HEADER) {
      findings.error(line, "the key has more than 200 characters", "write key = value");
      return;
    }
    IniEntry entry = value(written, line, content.substring(equals + 1));
    if (current == null) {
      stray(line);
    } else {
      add(current, written, entry);
    }
  }

  private IniEntry value(String written, int line, String raw) {
    String section = current == null ? "" : current.name();
    String key = firstSpelling(section, written);
    try {
      return new IniEntry(key, line, IniValue.parse(raw));
    } catch (IniValue.BrokenValueException broken) {
      findings.error(line, RedactedEntry.key(written, null) + ": " + broken.what(), broken.help());
      return new IniEntry(key, line, null);
    }
  }

  private void stray(int line) {
    if (!strayReported) {
      findings.error(line, "a key before the first section", "put it below a header such as [s3]");
      strayReported = true;
    }
  }

  private void add(IniSection section, String written, IniEntry entry) {
    IniEntry earlier = section.entries().putIfAbsent(entry.key(), entry);
    // In a repeated section every key could be a duplicate, and the header is reported already.
    if (earlier != null && !repeated) {
      String also = written.equals(entry.key()) ? "" : " (another name of " + entry.key() + ")";
      findings.error(
          entry.line(),
          "%s%s again, first on line %d"
              .formatted(RedactedEntry.key(written, entry.value()), also, earlier.line()),
          "keep one of the two lines");
    }
  }

  /** Removes blanks and tabs only: any other space may belong to a password. */
  static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isBlank(text.charAt(start))) {
      start++;
    }
    while (end > start && isBlank(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  static boolean isBlank(char character) {
    return character == ' ' || character == '\t';
  }

  /**
   * Returns the main spelling of a section's name. Spellings are resolved while scanning, so that a
   * duplicate in two spellings is found.
   */
  private String firstSpelling(String section) {
    return tables.stream()
        .filter(table -> table.isAlsoCalled(section))
        .map(SettingTable::section)
        .findFirst()
        .orElse(section);
  }

  private String firstSpelling(String section, String key) {
    return tables.stream()
        .filter(table -> table.section().equals(section))
        .map(table -> table.key(key))
        .findFirst()
        .orElse(key);
  }
}
