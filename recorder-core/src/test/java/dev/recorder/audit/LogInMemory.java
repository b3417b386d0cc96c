package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.Origins;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A log as the recorder would have written it, hand-off and all, with every part open to damage.
 *
 * <p>Windows mean here what they mean in the database: visible in one snapshot and not in another.
 */
public final class LogInMemory implements LogRecords, HandoffRows, ObjectStore {
  public static final LogLayout LAYOUT =
      new LogLayout("", "bucket", "prod", new RecorderName("orders"), Compression.NONE);
  public static final UUID LOG = UUID.fromString("11111111-2222-3333-4444-555555555555");

  /** All that were inserted, in this order. */
  public final List<HandoffRow> rows = new ArrayList<>();

  final List<HandoffRow> handoff = new ArrayList<>();
  final Map<Long, List<SlotPlan>> plans = new HashMap<>();
  final Map<Long, List<RowKey>> exclusions = new HashMap<>();
  public final Map<String, Body> objects = new HashMap<>();
  public LogHead head = new LogHead(0, 1, LogChain.of(LOG), Position.START);
  public Runnable beforeRead = () -> {};
  public long rebasedSlot;
  private BlockRanges cleared = BlockRanges.of(List.of());
  DatabaseIdentity writtenFrom = Origins.DATABASE;
  @Nullable LogChain floorChain;

  // ---- writing

  /** A committed row of each of these transactions. */
  public void insert(long... xids) {
    for (long xid : xids) {
      HandoffRow row = row(rows.size() + 1, xid, "{}");
      rows.add(row);
      handoff.add(row);
    }
  }

  public static HandoffRow row(long id, long xid, String payload) {
    return new HandoffRow(id, xid, 1_700_000_000_000_000L + id, "k" + id, payload);
  }

  /** Records what {@code to} sees, at most {@code most} rows of it, as the next slot. */
  public SlotContent record(String to, int most) {
    SlotContent content = build(Snapshot.parse(to), most);
    plan(content);
    put(content);
    settle(content);
    return content;
  }

  public SlotContent build(Snapshot to, int most) {
    Position position = head.position();
    Snapshot end = position.open() == null ? to : position.open();
    SlotContentBuilder builder =
        new SlotContentBuilder(new Rotation(most, Long.MAX_VALUE), Compression.NONE);
    boolean[] all = {true};
    waiting(position, end).forEach(row -> all[0] &= builder.offer(row));
    return builder.build(
        head.lastSlot() + 1,
        Origins.of("s"),
        Origins.READ_AT,
        new Window(position.done(), end, all[0]));
  }

  private Stream<HandoffRow> waiting(Position from, Snapshot to) {
    RowKey open = new RowKey(from.openXid(), from.open() == null ? Long.MIN_VALUE : from.openId());
    return handoff.stream()
        .filter(row -> to.sees(row.xid()) && !from.done().sees(row.xid()))
        .filter(row -> key(row).compareTo(open) > 0)
        .filter(row -> exclusions.values().stream().noneMatch(e -> e.contains(key(row))))
        .sorted(Comparator.comparing(LogInMemory::key));
  }

  public void plan(SlotContent content) {
    plansOf(content.slot())
        .add(new SlotPlan(content.sha256(), content.window(), content.extent(), content.bytes()));
  }

  public void settle(SlotContent content) {
    head = head.after(content);
  }

  public void put(SlotContent content) {
    put(content.slot(), content.body(), content.sha256(), content.extent().rows());
  }

  void put(long slot, byte[] body, String sha256, int rows) {
    ObjectMetadata metadata =
        new ObjectMetadata(
            "orders",
            LOG,
            slot,
            1,
            "host-a",
            rows,
            sha256,
            chain(slot - 1).then(sha256),
            writtenFrom,
            null,
            Origins.READ_AT);
    objects.put(LAYOUT.slotKey(slot), new Body(body, metadata.asMap()));
  }

  /** As the objects say, or, where one is missing, its row in slots. */
  LogChain chain(long slot) {
    if (slot == 0) {
      return LogChain.of(LOG);
    }
    Body object = objects.get(LAYOUT.slotKey(slot));
    return Optional.ofNullable(object)
        .flatMap(there -> ObjectMetadata.from(there.metadata()))
        .map(ObjectMetadata::chain)
        .orElseGet(() -> chain(slot - 1).then(plansOf(slot).get(0).sha256()));
  }

  /** Where the log stands, after so many of its slots. */
  public LogHead head(long lastSlot, long firstSlot, Position position) {
    return new LogHead(lastSlot, firstSlot, chain(lastSlot), position);
  }

  /** Has the objects from this slot on say what they would if they had been written so. */
  void chainFrom(long slot) {
    LogChain chain = chain(slot - 1);
    for (long next = slot; next <= head.lastSlot(); next++) {
      Map<String, String> metadata = new HashMap<>(objects.get(LAYOUT.slotKey(next)).metadata());
      chain = chain.then(metadata.get("sha256"));
      metadata.put("chain", chain.hash());
      change(next, object -> new Body(object.bytes(), Map.copyOf(metadata)));
    }
  }

  /** An object of a lost history with {@code rows}; those among them that are here are excluded. */
  void adoptByIdentity(HandoffRow... rows) {
    long slot = head.lastSlot() + 1;
    plansOf(slot).add(put(slot, null, key(rows[rows.length - 1]), rows));
    exclusions.put(slot, Stream.of(rows).filter(handoff::contains).map(LogInMemory::key).toList());
    head = head(slot, head.firstSlot(), head.position());
  }

  // ---- damaging

  public List<SlotPlan> plansOf(long slot) {
    return plans.computeIfAbsent(slot, s -> new ArrayList<>());
  }

  /** Rewrites an object with other rows, its metadata and its row in slots with it. */
  void forge(long slot, HandoffRow... rows) {
    write(slot, plansOf(slot).get(0).last(), rows);
  }

  /** Puts another object in a slot's place, whose metadata are made to fit what is before it. */
  public void replace(long slot, HandoffRow... rows) {
    put(slot, null, key(rows[rows.length - 1]), rows);
  }

  /** The slot was written with these rows and no others, as by a damaged index. */
  void writeOnly(long slot, HandoffRow... rows) {
    write(slot, key(rows[rows.length - 1]), rows);
  }

  private void write(long slot, RowKey last, HandoffRow... rows) {
    plansOf(slot).set(0, put(slot, plansOf(slot).get(0).window(), last, rows));
    chainFrom(slot);
    head = head(head.lastSlot(), head.firstSlot(), head.position());
  }

  /** Puts an object with these rows; the plan to it. */
  private SlotPlan put(long slot, @Nullable Window window, RowKey last, HandoffRow... rows) {
    LineEncoder encoder = new LineEncoder();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    Stream.of(rows).forEach(row -> body.writeBytes(encoder.encode(row)));
    byte[] digest = SlotContentBuilder.sha256().digest(body.toByteArray());
    String sha256 = HexFormat.of().formatHex(digest);
    put(slot, body.toByteArray(), sha256, rows.length);
    return new SlotPlan(
        sha256,
        window,
        new SlotContent.Extent(rows.length, rows[0].xid(), rows[0].id(), last.xid(), last.id()),
        body.size());
  }

  /** The objects of these slots are gone. */
  public void lose(long... slots) {
    for (long slot : slots) {
      objects.remove(LAYOUT.slotKey(slot));
    }
  }

  void change(long slot, UnaryOperator<Body> change) {
    objects.compute(LAYOUT.slotKey(slot), (key, object) -> change.apply(object));
  }

  // ---- verifying

  AuditResult verify(long from) {
    try {
      return new LogVerifier(this, LAYOUT, this, this).verify(from);
    } catch (UnreadableSlotException e) {
      throw new AssertionError(e);
    }
  }

  /** From slot {@code from} on there is nothing wrong. */
  AuditResult assertProved(long from) {
    AuditResult verdict = verify(from);
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.ok()).isTrue();
    return verdict;
  }

  /** So many faults of each kind are found. */
  AuditResult assertFaults(
      long lost, long duplicated, long gaps, long outOfOrder, long mismatches) {
    AuditResult verdict = verify(1);
    assertThat(
            List.of(
                verdict.lost(),
                verdict.duplicated(),
                verdict.gaps(),
                verdict.outOfOrder(),
                verdict.hashMismatches()))
        .as("lost, duplicated, gaps, out of order, hash mismatches: %s", verdict.findings())
        .containsExactly(lost, duplicated, gaps, outOfOrder, mismatches);
    assertThat(verdict.ok()).isFalse();
    return verdict;
  }

  // ---- LogRecords

  @Override
  public SettledLog settled() {
    return new SettledLog(LOG, head, floorChain, rebasedSlot, cleared, List.of(Origins.DATABASE));
  }

  @Override
  public List<SlotPlan> plans(long slot) {
    return plans.getOrDefault(slot, List.of());
  }

  @Override
  public long plansFrom() {
    return plans.entrySet().stream()
        .filter(planned -> !planned.getValue().isEmpty())
        .mapToLong(Map.Entry::getKey)
        .min()
        .orElse(head.lastSlot());
  }

  /** The rows in slots of the slots up to this one are deleted. */
  public void deletePlans(long upTo) {
    plans.keySet().removeIf(slot -> slot <= upTo);
  }

  @Override
  public OptionalLong slotOf(RowKey row) {
    return plans.entrySet().stream()
        .filter(e -> e.getValue().stream().anyMatch(plan -> mayHold(plan, row)))
        .mapToLong(Map.Entry::getKey)
        .min();
  }

  private static boolean mayHold(SlotPlan plan, RowKey row) {
    Window window = plan.window();
    return window != null
        && window.to().sees(row.xid())
        && !window.from().sees(row.xid())
        && (window.complete() || row.compareTo(plan.last()) <= 0);
  }

  @Override
  public String remedy(List<RowKey> lost) {
    return "remedy for " + lost;
  }

  /** Takes the rows of these blocks away, as clearing does. */
  public void clear(Set<Long> blocks) {
    cleared = BlockRanges.ofBlocks(blocks);
    handoff.removeIf(row -> cleared.has(Block.of(row.id())));
  }

  // ---- HandoffRows

  /** In an order that is nobody's, as rows lie in a heap. */
  @Override
  public void scan(RowSink sink) {
    List<HandoffRow> stored = new ArrayList<>(handoff);
    Collections.shuffle(stored, new Random(7));
    stored.forEach(row -> sink.row(kept(row)));
    sink.progress(1, 1);
  }

  private KeptRow kept(HandoffRow row) {
    return kept(
        row,
        exclusions.entrySet().stream()
            .filter(e -> e.getValue().contains(key(row)))
            .mapToLong(Map.Entry::getKey)
            .findFirst()
            .orElse(0));
  }

  public static KeptRow kept(HandoffRow row, long excludedBy) {
    return new KeptRow(
        row.id(),
        row.xid(),
        row.timeMicros(),
        excludedBy,
        row.key() == null ? null : utf8(row.key()),
        KeptRow.Payload.whole(utf8(row.payload())));
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static RowKey key(HandoffRow row) {
    return new RowKey(row.xid(), row.id());
  }

  // ---- ObjectStore

  @Override
  public GetAnswer get(String key) {
    beforeRead.run();
    Body body = objects.get(key);
    return body == null ? new Absent() : body;
  }

  @Override
  public HeadAnswer head(String key) {
    Body body = objects.get(key);
    return body == null ? new Absent() : new Present(body.metadata());
  }

  @Override
  public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
    throw new AssertionError("verifying writes nothing");
  }
}
