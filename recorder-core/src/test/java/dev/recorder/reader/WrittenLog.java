package dev.recorder.reader;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.SlotStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.Origins;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A log in a bucket, written by the product's own writer of objects, and a way to it that can fail.
 * Thread-safe, as a reader asks from several threads.
 */
final class WrittenLog implements ObjectStore {
  static final UUID LOG = UUID.fromString("11111111-2222-3333-4444-555555555555");

  final LogLayout layout;
  private final ObjectStore store;

  // Guarded by this.
  private final List<String> asked = new ArrayList<>();
  private final Set<String> unanswered = new HashSet<>();
  private boolean refuses;
  private long nextId = 1;
  private LogChain chain = LogChain.of(LOG);

  WrittenLog(ObjectStore store, Compression compression) {
    this.store = store;
    this.layout = new LogLayout("", "bucket", "prod", new RecorderName("orders"), compression);
    layout.identity(LOG).claim(store);
  }

  /** Writes a slot of so many rows, of this log. */
  synchronized void write(long slot, int rows) {
    write(slot, rows, LOG);
  }

  /** Writes a slot of another log under this one's key. */
  synchronized void write(long slot, int rows, UUID log) {
    HandoffRow[] content = new HandoffRow[rows];
    for (int i = 0; i < rows; i++) {
      long id = nextId++;
      content[i] = new HandoffRow(id, 700 + slot, 1_700_000_000_000_000L + id, "k" + id, "{}");
    }
    write(slot, log, content);
  }

  synchronized void write(long slot, UUID log, HandoffRow... rows) {
    write(slot, log, Origins.of("session"), 900, rows);
  }

  /** Writes a slot at whose end all transactions below a number have ended. */
  synchronized void write(
      long slot, UUID log, SlotContent.Origin origin, long ended, HandoffRow... rows) {
    SlotContentBuilder builder = new SlotContentBuilder(Rotation.DEFAULT, layout.compression());
    for (HandoffRow row : rows) {
      builder.offer(row);
    }
    Window window =
        new Window(Snapshot.parse("1:1:"), Snapshot.parse("%1$d:%1$d:".formatted(ended)), true);
    SlotContent content = builder.build(slot, origin, Origins.READ_AT, window);
    chain = chain.then(content.sha256());
    new SlotStore(store, layout, new Term(1, 1, "host-a", log)).put(content, chain);
  }

  /** From now on nothing that ends so is answered, until {@link #answer}. */
  synchronized void silence(String end) {
    unanswered.add(end);
  }

  /** Each request is forbidden. */
  synchronized void refuse() {
    refuses = true;
  }

  synchronized void answer() {
    unanswered.clear();
    refuses = false;
  }

  /** How often this slot was asked for. */
  synchronized long askedFor(long slot) {
    return asked.stream().filter(layout.slotKey(slot)::equals).count();
  }

  /** How many requests there were. */
  synchronized int requests() {
    return asked.size();
  }

  LogReaderBuilder reader() {
    return LogReader.of(this, layout);
  }

  private synchronized boolean isSilent(String key) {
    return unanswered.stream().anyMatch(key::endsWith);
  }

  @Override
  public GetAnswer get(String key) {
    synchronized (this) {
      asked.add(key);
      if (refuses) {
        return new Unclear("GET of " + key + " was refused", false, RefusalCause.RIGHTS);
      }
    }
    return isSilent(key) ? new Unclear("GET of " + key + " had no answer", true) : store.get(key);
  }

  @Override
  public HeadAnswer head(String key) {
    return isSilent(key) ? new Unclear("HEAD of " + key + " had no answer", true) : store.head(key);
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    throw new AssertionError("readers write nothing");
  }
}
