package dev.recorder.app.config;

import static dev.recorder.app.config.CaptureSection.COLUMNS;
import static dev.recorder.app.config.CaptureSection.EXCEPT;
import static dev.recorder.app.config.CaptureSection.KEY;
import static dev.recorder.app.config.CaptureSection.OLD;
import static dev.recorder.app.config.CaptureSection.WHEN;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.TableNames;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sections {@code [capture:RECORDER/TABLE]}, each for a table that its recorder lists. */
final class CaptureSections {
  private final Map<Place, Found> found = new LinkedHashMap<>();

  /** Recorders whose lists cannot be read: what they would list nobody knows. */
  private final Set<String> unread = new HashSet<>();

  private final Set<Place> listed = new HashSet<>();

  private record Place(String recorder, TableName table) {}

  private record Found(SectionReader reader, Buildable<CaptureOptions> options) {}

  /** Reads all of them; names what is wrong with each by itself. */
  CaptureSections(List<SectionReader> sections) {
    sections.forEach(this::read);
  }

  private void read(SectionReader reader) {
    Buildable<CaptureOptions> options = options(reader);
    Place place = place(reader);
    Found earlier = place == null ? null : found.putIfAbsent(place, new Found(reader, options));
    if (place != null && earlier != null) {
      reader.error(
          "table %s of recorder %s again, first as [%s] on line %d"
              .formatted(
                  place.table(),
                  place.recorder(),
                  earlier.reader().name(),
                  earlier.reader().line()),
          "keep one of the sections, with the keys of both");
    }
  }

  private static @Nullable Place place(SectionReader reader) {
    String name = reader.name().substring(CaptureSection.SECTION.length());
    int slash = name.indexOf('/');
    if (slash > 0) {
      try {
        return new Place(name.substring(0, slash), TableNames.one(name.substring(slash + 1)));
      } catch (IllegalArgumentException noName) {
        // Told below.
      }
    }
    reader.error(
        "[%s] names no table of a recorder".formatted(reader.name()),
        "write [capture:RECORDER/schema.table], as in its list");
    return null;
  }

  private static Buildable<CaptureOptions> options(SectionReader reader) {
    ColumnNames columns = reader.optional(COLUMNS);
    ColumnNames except = reader.optional(EXCEPT);
    if (reader.has(COLUMNS) && reader.has(EXCEPT)) {
      reader.error(EXCEPT, "columns and except cannot both be given", "keep one of them");
    }
    String when = reader.optional(WHEN);
    String key = reader.optional(KEY);
    OldImageWord old = reader.value(OLD);
    reader.reportUnknownKeys();
    return () ->
        new CaptureOptions(
            new ColumnChoice(names(columns), names(except)),
            when,
            key,
            OldImage.valueOf(old.name()));
  }

  private static List<String> names(@Nullable ColumnNames names) {
    return names == null ? List.of() : names.columns();
  }

  /** A table that a recorder lists, with what its section says. */
  Buildable<CaptureSection> of(String recorder, TableName table) {
    Place place = new Place(recorder, table);
    listed.add(place);
    Found section = found.get(place);
    return () ->
        new CaptureSection(
            table, section == null ? CaptureOptions.USUAL : section.options().build());
  }

  /** Nothing is said of sections for this recorder. */
  void leaveOut(String recorder) {
    unread.add(recorder);
  }

  /**
   * Names sections for tables that nobody lists.
   *
   * @param recorders all that the file has
   */
  void reportUnlisted(Set<String> recorders) {
    found.forEach(
        (place, section) -> {
          if (!recorders.contains(place.recorder())) {
            section
                .reader()
                .error(
                    "there is no [recorder:%s] for [%s]"
                        .formatted(place.recorder(), section.reader().name()),
                    "write [capture:RECORDER/TABLE] with the name of a recorder of this file");
          } else if (!listed.contains(place) && !unread.contains(place.recorder())) {
            section
                .reader()
                .error(
                    "[recorder:%s] does not list table %s"
                        .formatted(place.recorder(), place.table()),
                    "add %s to its key capture, or leave the section out"
                        .formatted(TableNames.written(place.table())));
          }
        });
  }
}
