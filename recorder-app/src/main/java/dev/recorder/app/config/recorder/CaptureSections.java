package dev.recorder.app.config.recorder;

import static dev.recorder.app.config.recorder.CaptureSection.COLUMNS;
import static dev.recorder.app.config.recorder.CaptureSection.ENTITY;
import static dev.recorder.app.config.recorder.CaptureSection.EXCEPT;
import static dev.recorder.app.config.recorder.CaptureSection.OF_LOGS;
import static dev.recorder.app.config.recorder.CaptureSection.OLD;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.value.CaptureTables;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.TableName;
import dev.recorder.capture.TableNames;
import dev.recorder.handoff.RecorderKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sections {@code [capture:RECORDER/TABLE]}. The key {@code capture} of the recorder must list
 * the table of each section.
 */
public final class CaptureSections {
  private final Map<CapturedPlace, SectionReader> found = new LinkedHashMap<>();

  /** Recorders whose list of tables is unusable, so that their tables are unknown. */
  private final Set<String> unread = new HashSet<>();

  private final Set<CapturedPlace> listed = new HashSet<>();

  private record CapturedPlace(String recorder, TableName table) {}

  /** Reads all sections, and reports the faults within each section. */
  public CaptureSections(List<SectionReader> sections) {
    sections.forEach(this::read);
  }

  private void read(SectionReader reader) {
    check(reader);
    CapturedPlace place = place(reader);
    SectionReader earlier = place == null ? null : found.putIfAbsent(place, reader);
    if (place != null && earlier != null) {
      reader.error(
          "table %s of recorder %s again, first as [%s] on line %d"
              .formatted(place.table(), place.recorder(), earlier.name(), earlier.line()),
          "keep one of the sections, with the keys of both");
    }
  }

  private static @Nullable CapturedPlace place(SectionReader reader) {
    String name = reader.name().substring(CaptureSection.SECTION.length());
    int slash = name.indexOf('/');
    if (slash > 0) {
      try {
        return new CapturedPlace(
            name.substring(0, slash), TableNames.one(name.substring(slash + 1)));
      } catch (IllegalArgumentException noName) {
        // Reported below.
      }
    }
    reader.error(
        "[%s] names no table of a recorder".formatted(reader.name()),
        "write [capture:RECORDER/schema.table], as in its list");
    return null;
  }

  private static void check(SectionReader reader) {
    reader.read(CaptureSection.TABLE);
    if (reader.has(COLUMNS) && reader.has(EXCEPT)) {
      reader.error(EXCEPT, "columns and except cannot both be given", "keep one of them");
    }
    if (reader.has(ENTITY)) {
      OF_LOGS.stream().filter(reader::has).forEach(setting -> refuseBesideEntity(reader, setting));
      reader.set(OLD, null);
    }
  }

  private static void refuseBesideEntity(SectionReader reader, Setting<?> setting) {
    reader.error(
        setting,
        setting.key() + " has no meaning with entity: a request has no row",
        "leave the key out");
  }

  /**
   * Returns the captured tables of a recorder, with the options of their sections.
   *
   * @param reader the reader of the recorder's section; gets an error if an {@code entity} is
   *     missing
   */
  List<Deferred<CaptureSection>> of(
      String recorder, RecorderKind kind, CaptureTables tables, SectionReader reader) {
    List<Deferred<CaptureSection>> sections = new ArrayList<>();
    for (TableName table : tables.tables()) {
      SectionReader section = list(recorder, table);
      if (!reader.refused(RecorderSectionKeys.KIND)) {
        switch (kind) {
          case LOG -> refuseEntity(recorder, section);
          case REQUESTS -> requireEntity(section, CaptureSection.name(recorder, table), reader);
        }
      }
      sections.add(
          () ->
              new CaptureSection(
                  recorder,
                  table,
                  section == null ? Map.of(OLD.key(), OldImage.KEY) : section.inEffect()));
    }
    return sections;
  }

  private static void refuseEntity(String recorder, @Nullable SectionReader section) {
    if (section != null && section.has(ENTITY)) {
      section.error(
          ENTITY,
          "entity is for documents, and recorder %s has kind = log".formatted(recorder),
          "leave the key out, or list the table in a recorder of kind requests");
    }
  }

  private static void requireEntity(
      @Nullable SectionReader section, String name, SectionReader reader) {
    if (section == null || !section.has(ENTITY)) {
      reader.error(
          RecorderSectionKeys.CAPTURE,
          "nothing says whose documents a row belongs to: there is no entity in [%s]"
              .formatted(name),
          "write the section with entity = EXPRESSION");
    }
  }

  private @Nullable SectionReader list(String recorder, TableName table) {
    CapturedPlace place = new CapturedPlace(recorder, table);
    listed.add(place);
    return found.get(place);
  }

  /** Suppresses findings on the sections of a recorder whose list of tables is unusable. */
  void leaveOut(String recorder) {
    unread.add(recorder);
  }

  /**
   * Reports sections for tables that no recorder lists.
   *
   * @param recorders the names of all recorders of the file
   */
  public void reportUnlisted(Set<String> recorders) {
    found.forEach(
        (place, section) -> {
          if (!recorders.contains(place.recorder())) {
            section.error(
                "there is no [recorder:%s] for [%s]".formatted(place.recorder(), section.name()),
                "write [capture:RECORDER/TABLE] with the name of a recorder of this file");
          } else if (!listed.contains(place) && !unread.contains(place.recorder())) {
            section.error(
                "[recorder:%s] does not list table %s".formatted(place.recorder(), place.table()),
                "add %s to its key capture, or leave the section out"
                    .formatted(TableNames.written(place.table())));
          }
        });
  }
}
