package dev.recorder.app.config;

import dev.recorder.app.config.FileEditException.FileEditErrorKind;
import dev.recorder.time.Pause;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Changes {@code primary} of one recorder in a configuration file, and nothing else in it. The file
 * must be right before, and must be the same afterwards except for that; links to it stay links.
 */
public final class PrimaryEdit {
  private static final int TRIES = 50;
  private static final Duration BETWEEN = Duration.ofMillis(100);

  private final Path file;
  private final MachineIdentity identity;

  private PrimaryEdit(Path file, MachineIdentity identity) {
    this.file = file;
    this.identity = identity;
  }

  /** Of a file, which may be named by a link. */
  public static PrimaryEdit of(Path file) {
    return new PrimaryEdit(file, MachineIdentity.ofThisHost());
  }

  static PrimaryEdit of(Path file, MachineIdentity identity) {
    return new PrimaryEdit(file, identity);
  }

  /**
   * What became of the file.
   *
   * @param changed false if the file said so already
   * @param line where it says so
   * @param doubt why that is not known to outlive a crash of the host; empty if it does
   */
  public record Edited(boolean changed, int line, String doubt) {}

  /**
   * Changes it, once nobody else is at it, within five seconds.
   *
   * @throws ConfigException if the file has an error; nothing was changed
   * @throws FileEditException if the recorder has no such line, or the file cannot be changed
   */
  public Edited set(String recorder, boolean primary)
      throws ConfigException, FileEditException, InterruptedException {
    for (int tried = 0; tried < TRIES; tried++) {
      ConfigFile.load(file, identity); // Says what is wrong with it, before anything is locked.
      Path real = Path.of(ConfigFile.realPath(file));
      try (FileTurn turn = FileTurn.tryTake(real)) {
        if (turn != null) {
          return set(real, turn, recorder, primary);
        }
      }
      Pause.sleep(BETWEEN);
    }
    throw new FileEditException(
        FileEditErrorKind.BUSY, file + " is being changed by somebody else");
  }

  private Edited set(Path real, FileTurn turn, String recorder, boolean primary)
      throws ConfigException, FileEditException {
    byte[] bytes = turn.bytes();
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Once more: whoever had the turn before may have changed it.
    RecorderConfig before = ConfigFile.read(file, unmarked(text), identity);
    int line = line(before, text, recorder);
    if (before.recorder(recorder).orElseThrow().primary() == primary) {
      return new Edited(false, line, "");
    }
    String changed =
        PrimaryLine.set(text, line, primary).orElseThrow(() -> unknownForm(recorder, line));
    String key = "[" + RecorderSection.SECTION + recorder + "] " + Leading.PRIMARY.key();
    if (!differsOnlyBy(key, before, ConfigFile.read(file, unmarked(changed), identity))) {
      throw unknownForm(recorder, line);
    }
    String doubt =
        new FileReplacement(real, turn).replace(bytes, changed.getBytes(StandardCharsets.UTF_8));
    return new Edited(true, line, doubt);
  }

  private static String unmarked(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private int line(RecorderConfig config, String text, String recorder) throws FileEditException {
    IniSection section =
        IniScanner.scan(unmarked(text), new Findings(file))
            .section(RecorderSection.SECTION + recorder);
    if (config.recorder(recorder).isEmpty() || section.entry(Leading.PRIMARY.key()).isEmpty()) {
      throw new FileEditException(
          FileEditErrorKind.FORM,
          "%s:%d: [recorder:%s] has no key primary: requests, and what a key of Redis elects, have none"
              .formatted(file, section.line(), recorder));
    }
    return section.entry(Leading.PRIMARY.key()).orElseThrow().line();
  }

  private FileEditException unknownForm(String recorder, int line) {
    return new FileEditException(
        FileEditErrorKind.FORM,
        "%s:%d: primary of [recorder:%s] stands there in a form that is not edited by a program; write primary = true or false"
            .formatted(file, line, recorder));
  }

  private static boolean differsOnlyBy(String key, RecorderConfig before, RecorderConfig after) {
    Map<String, String> one = new HashMap<>(EffectiveConfig.of(before).values());
    Map<String, String> other = new HashMap<>(EffectiveConfig.of(after).values());
    boolean differs = !String.valueOf(one.remove(key)).equals(String.valueOf(other.remove(key)));
    return differs && one.equals(other);
  }
}
