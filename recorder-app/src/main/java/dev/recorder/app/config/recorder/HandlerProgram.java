package dev.recorder.app.config.recorder;

import dev.recorder.app.config.ini.SectionReader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program that the file names as a handler. Write access to the file or to the program gives all
 * rights of the operating system's user that runs the recorder.
 */
record HandlerProgram(Path file, Path program) {

  void check(SectionReader reader) {
    warnIfMissing(reader);
    refuseOthers(reader, file, "and so choose what runs as the recorder's user");
    refuseOthers(reader, program, "and so change what runs as the recorder's user");
  }

  /** Warns, and does not refuse: requests wait until the program is there. */
  private void warnIfMissing(SectionReader reader) {
    if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
      reader.warning(
          RecorderSectionKeys.HANDLER,
          "handler: %s is no program that can be run on this host".formatted(program),
          "install it, executable for the user that runs the recorder; the value is a path and"
              + " nothing else, so arguments go into a script");
    }
  }

  private void refuseOthers(SectionReader reader, Path path, String consequence) {
    FileWriteAccess.besidesTheOwnerOf(file)
        .of(path)
        .ifPresent(
            open ->
                reader.error(
                    RecorderSectionKeys.HANDLER,
                    "handler = exec:…, and %s can write %s, %s"
                        .formatted(open.whom(), open.path(), consequence),
                    open.remedy()));
  }
}
