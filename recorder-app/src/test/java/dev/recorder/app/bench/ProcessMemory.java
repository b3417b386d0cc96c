package dev.recorder.app.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What processes have in memory, by the kernel's count: Linux only. */
final class ProcessMemory {
  private ProcessMemory() {}

  /** RSS of one process, in MiB. */
  static long residentMebibytes(long pid) throws IOException {
    return kibibytes(Path.of("/proc/" + pid + "/status"), "VmRSS:") >> 10;
  }

  /** Of a process and all below it, in MiB; of what several of them share each has a part. */
  static long proportionalMebibytes(long pid) throws IOException {
    long sum = proportional(pid);
    for (ProcessHandle child : ProcessHandle.of(pid).orElseThrow().descendants().toList()) {
      sum += proportional(child.pid());
    }
    return sum >> 10;
  }

  private static long proportional(long pid) throws IOException {
    try {
      return kibibytes(Path.of("/proc/" + pid + "/smaps_rollup"), "Pss:");
    } catch (NoSuchFileException ended) {
      return 0;
    }
  }

  private static long kibibytes(Path file, String what) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(what))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }
}
