package dev.recorder.requests.handlers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** A small program in a folder of its own, and what it leaves there. */
record Script(Path path) {
  /** Lines of sh, which run in the script's folder. */
  static Script sh(Path folder, String... lines) throws IOException {
    Path path = Files.createDirectories(folder).resolve("program");
    String head = "#!/bin/sh\ncd '" + folder.toString().replace("'", "'\\''") + "' || exit 99\n";
    return of(path, head + String.join("\n", lines) + "\n", "rwx------");
  }

  static Script of(Path path, String text, String permissions) throws IOException {
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    return new Script(path);
  }

  /** What it wrote to a file, without a line feed at the end; empty if there is none. */
  String wrote(String file) throws IOException {
    Path written = path.resolveSibling(file);
    return Files.exists(written) ? Files.readString(written).stripTrailing() : "";
  }

  /** Whether the process whose number it wrote to a file still runs. */
  boolean runs(String file) throws IOException {
    // What has ended and is only waiting to be noticed by its parent has no command any more.
    return process(file).flatMap(process -> process.info().command()).isPresent();
  }

  void kill(String file) throws IOException {
    process(file).ifPresent(ProcessHandle::destroyForcibly);
  }

  private Optional<ProcessHandle> process(String file) throws IOException {
    return ProcessHandle.of(Long.parseLong(wrote(file)));
  }
}
