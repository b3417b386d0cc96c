package dev.recorder.simulation;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.simulation.servers.FakeStore;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.WindowPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One recorder's log as a reader of the store sees it, checked as it grows. */
final class LogView {
  private static final Pattern SLOT = Pattern.compile("(\\d{20})\\b.*");
  private static final Pattern ROW = Pattern.compile("\"row\":(\\d+)");

  private final LogLayout layout;
  private final Producers producers;
  private final boolean promisesOrder;
  private final Map<String, Long> slotOfLine = new HashMap<>();
  private final TreeMap<Long, String> hashes = new TreeMap<>();
  private final TreeMap<Long, LogChain> chains = new TreeMap<>();
  private long changes;
  private long latestBegin;
  private @Nullable String latestLine;
  private @Nullable WindowPart window;
  private long timeline;

  /** Of all rows, and of those in windows that have ended. */
  private long latestCommit;

  private long latestCommitBeforeWindow;

  LogView(LogLayout layout, UUID log, Producers producers, boolean promisesOrder) {
    this.layout = layout;
    chains.put(0L, LogChain.of(log));
    this.producers = producers;
    this.promisesOrder = promisesOrder;
  }

  void apply(FakeStore.Change change) {
    String name = change.key().substring(layout.folder().length());
    Matcher slot = SLOT.matcher(name);
    FakeStore.Stored before = change.before();
    FakeStore.Stored after = change.after();
    if (!slot.matches()) {
      return;
    }
    changes++;
    if (after == null) {
      removed(Long.parseLong(slot.group(1)));
    } else if (before == null) {
      appeared(Long.parseLong(slot.group(1)), after);
    } else if (!Arrays.equals(before.body(), after.body())) {
      throw new BrokenPromise("object " + change.key() + " was changed");
    }
  }

  private void removed(long slot) {
    hashes.remove(slot);
    chains.tailMap(slot).clear();
    slotOfLine.values().removeIf(where -> where == slot);
  }

  private void appeared(long slot, FakeStore.Stored stored) {
    byte[] content = unpack(stored.body());
    if (slot > 1 && !hashes.containsKey(slot - 1)) {
      throw new BrokenPromise("slot " + slot + " is there and slot " + (slot - 1) + " is not");
    }
    hashes.put(slot, HexFormat.of().formatHex(SlotContentBuilder.sha256().digest(content)));
    for (String line : lines(content)) {
      Long other = slotOfLine.putIfAbsent(line, slot);
      if (other != null) {
        throw new BrokenPromise(
            "a row is twice in the log, in slots " + other + " and " + slot + ": " + line);
      }
      checkOrder(line);
    }
    checkWindow(stored);
    checkTimeline(slot, stored);
    checkChain(slot, stored);
    endOfWindow();
  }

  /** It is that of the contents, whoever wrote them and whatever has happened in between. */
  private void checkChain(long slot, FakeStore.Stored stored) {
    LogChain before = chains.get(slot - 1);
    String hash = hashes.get(slot);
    if (before != null && hash != null) {
      chains.put(slot, before.then(hash));
      ObjectMetadata object = ObjectMetadata.from(stored.metadata()).orElseThrow();
      if (!object.chain().equals(chains.get(slot))) {
        throw new BrokenPromise("slot " + slot + " does not have the chain of what is before it");
      }
    }
  }

  /** A server that another has taken over from adds nothing behind what that one has written. */
  private void checkTimeline(long slot, FakeStore.Stored stored) {
    DatabaseIdentity writer = ObjectMetadata.from(stored.metadata()).orElseThrow().database();
    if (writer == null) {
      throw new BrokenPromise("slot " + slot + " does not say from which database it was written");
    } else if (writer.timeline() < timeline) {
      throw new BrokenPromise(
          "slot " + slot + " of timeline " + writer.timeline() + " follows one of " + timeline);
    }
    timeline = writer.timeline();
  }

  /** The slots tell where windows end, and without a step from one to the next. */
  private void checkWindow(FakeStore.Stored stored) {
    WindowPart before = window;
    WindowPart next = ObjectMetadata.from(stored.metadata()).orElseThrow().window();
    if (next == null) {
      throw new BrokenPromise("an object says nothing of its window");
    } else if (promisesOrder && before != null && !before.isContinuedBy(next)) {
      throw new BrokenPromise("a window " + next + " does not go on where " + before + " ended");
    }
    window = next;
  }

  private void endOfWindow() {
    if (window != null && window.ends()) {
      latestCommitBeforeWindow = latestCommit;
    }
  }

  private void checkOrder(String line) {
    Matcher row = ROW.matcher(line);
    if (!row.find()) {
      throw new BrokenPromise("not a row: " + line);
    }
    Producers.Story story = producers.story(Integer.parseInt(row.group(1)));
    if (story.committed() == Long.MAX_VALUE) {
      throw new BrokenPromise("a row that was never committed is in the log: " + line);
    }
    if (promisesOrder && story.committed() < latestBegin) {
      throw new BrokenPromise(
          "a row comes after one whose transaction began when its own had committed: "
              + latestLine
              + " before "
              + line);
    }
    if (promisesOrder && story.committed() < latestCommitBeforeWindow) {
      throw new BrokenPromise("a window had ended, and a row comes that belongs before: " + line);
    }
    latestCommit = Math.max(latestCommit, story.committed());
    if (story.began() > latestBegin) {
      latestBegin = story.began();
      latestLine = line;
    }
  }

  private byte[] unpack(byte[] body) {
    try (var unpacked = layout.compression().unpacking(body)) {
      return unpacked.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines(byte[] content) {
    return Arrays.stream(new String(content, StandardCharsets.UTF_8).split("(?<=\n)")).toList();
  }

  /** Grows with each object that comes or goes. */
  long changes() {
    return changes;
  }

  /** The slot that holds the line, or null. */
  @Nullable Long slotOf(String line) {
    return slotOfLine.get(line);
  }

  /** The chain of all contents up to a slot, or null if one of them is not there. */
  @Nullable LogChain chain(long slot) {
    return chains.get(slot);
  }

  /** The hash of a slot's content, or null if there is no such object. */
  @Nullable String hash(long slot) {
    return hashes.get(slot);
  }

  Iterable<String> lines() {
    return slotOfLine.keySet();
  }

  long slots() {
    return hashes.size();
  }
}
