package dev.recorder.simulation.servers;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Adoption;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.slotlog.SlotReader.Slot;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the server does with the statements of a term that come on one session. */
final class LedgerStatements implements Ledger {
  private final FakeSession session;
  private final FakeDatabase database;
  private final LedgerTerm settings;
  private final Term term;
  private final Mutation mutation;

  LedgerStatements(FakeSession session, LedgerTerm settings) {
    this.session = session;
    this.database = session.database();
    this.settings = settings;
    this.term = settings.term();
    this.mutation = settings.mutation();
  }

  /** Carries out an effect of the database lane. */
  LedgerEvent perform(Effect.LedgerEffect effect) {
    if (!session.isAlive()) {
      return new Event.DatabaseUnclear("terminating connection due to administrator command");
    }
    database.use(session);
    return effect.on(this);
  }

  private RecorderRow row() {
    return database.recorder(term.lockId());
  }

  private boolean isOurs() {
    return row().epoch() == term.epoch() && term.machine().equals(row().holder());
  }

  private boolean isOursAt(long lastSlot) {
    return isOurs() && row().lastSlot() == lastSlot;
  }

  @Override
  public LedgerEvent load() {
    return isOurs() ? new Event.Loaded(row().head()) : new Event.NotOurs("the row names " + row());
  }

  @Override
  public LedgerEvent read(Effect.Read read) {
    boolean unchecked = mutation == Mutation.READ_WITHOUT_LAST_SLOT;
    if (!(unchecked ? isOurs() : isOursAt(read.lastSlot()))) {
      return new Event.Fenced();
    }
    if (database.isPaused(term.lockId())) {
      return new Event.Paused();
    }
    Snapshot now = database.tables().snapshot();
    boolean isAhead = read.lastSlot() == read.slot() - 2;
    Position position = unchecked && !isAhead ? row().position() : read.position();
    if (!position.isCoveredBy(now)) {
      return new Event.DatabaseRefused("snapshot " + now + " does not cover " + position);
    }
    Snapshot open = position.open();
    if (open != null) {
      LedgerEvent rest = pack(read, position, open);
      if (rest != null) {
        return rest;
      }
      position = Position.doneUpTo(open);
    }
    LedgerEvent next = pack(read, position, now);
    return next == null ? new Event.NothingWaiting() : next;
  }

  private @Nullable LedgerEvent pack(Effect.Read read, Position from, Snapshot to) {
    HandoffTable table = database.handoff(term.lockId());
    SlotContentBuilder content =
        new SlotContentBuilder(settings.rotation(), settings.compression());
    RowId openUpTo = new RowId(from.openXid(), from.openId());
    boolean all = true;
    for (StoredRow stored : rowsFrom(table, firstUnseen(from.done()))) {
      RowId place = stored.place();
      boolean waiting =
          !from.done().sees(place.xid())
              && to.sees(place.xid())
              && place.compareTo(openUpTo) > 0
              && !table.exclusions.containsKey(place);
      if (waiting && !content.offer(stored.row())) {
        all = false;
        break;
      }
    }
    if (content.isEmpty()) {
      return null;
    }
    return read.onlyIfFull() && all
        ? new Event.NotFull(settings.rotation().missing(content.rows(), content.bytes()))
        : new Event.Built(
            content.build(read.slot(), origin(), time(), new Window(from.done(), to, all)));
  }

  private Instant time() {
    return Instant.EPOCH.plus(database.clockMicros(), ChronoUnit.MICROS);
  }

  private static Collection<StoredRow> rowsFrom(HandoffTable table, RowId first) {
    return table.missedByTheIndex.isEmpty()
        ? table.rows.tailMap(first).values()
        : table.indexed(first).values();
  }

  /** Everything before it is seen; PostgreSQL finds it by its index. */
  private static RowId firstUnseen(Snapshot snapshot) {
    String list = snapshot.inProgressList();
    int comma = list.indexOf(',');
    String first = comma < 0 ? list : list.substring(0, comma);
    return new RowId(first.isEmpty() ? snapshot.xmax() : Long.parseLong(first), 0);
  }

  @Override
  public LedgerEvent plan(SlotContent content) {
    if (!isRead(content)) {
      return otherSession();
    }
    boolean unchecked = mutation == Mutation.READ_WITHOUT_LAST_SLOT;
    if (!(unchecked ? isOurs() : isOursAt(content.slot() - 1))) {
      return new Event.Fenced();
    }
    Window earlier = earlier(content);
    database.write(() -> insert(content));
    return new Event.Planned(earlier);
  }

  private @Nullable Window earlier(SlotContent content) {
    SlotRow row = database.tables().slots.get(SlotRow.of(term.lockId(), content).key());
    Window first = row == null ? null : row.window();
    boolean fits =
        mutation != Mutation.WINDOW_OF_THE_LATER_PLAN
            && first != null
            && first.from().equals(content.window().from());
    return fits && !content.window().equals(first) ? first : null;
  }

  private void insert(SlotContent content) {
    SlotRow row = SlotRow.of(term.lockId(), content);
    database.tables().slots.putIfAbsent(row.key(), row);
    database.common().everPlanned.putIfAbsent(row.key().sha256(), row);
  }

  @Override
  public LedgerEvent settle(Effect.Settle settle) {
    SlotContent content = settle.content();
    SlotContent next = settle.next();
    boolean wrongSession = mutation != Mutation.SESSION_CHANGED_UNNOTICED && !isRead(content);
    if (wrongSession || (next != null && !isRead(next))) {
      return otherSession();
    }
    boolean allowed =
        mutation == Mutation.SETTLE_WITHOUT_LAST_SLOT ? isOurs() : isOursAt(content.slot() - 1);
    if (!allowed) {
      return new Event.Fenced();
    }
    Window earlier = next == null ? null : earlier(next);
    database.write(
        () -> {
          advance(content.slot(), settle.chain(), content.after());
          database.settled(term.lockId());
          if (next != null) {
            insert(next);
          }
        });
    return new Event.Settled(earlier);
  }

  private void advance(long slot, LogChain chain, Position to) {
    database
        .tables()
        .recorders
        .put(term.lockId(), row().advanced(slot, chain, to, term.epoch(), database.clockMicros()));
    // Rows inside the settled window need no exclusion any more.
    database
        .handoff(term.lockId())
        .exclusions
        .keySet()
        .removeIf(excluded -> to.done().sees(excluded.xid()));
  }

  @Override
  public LedgerEvent adopt(Effect.Adopt adopt) {
    LogHead head = adopt.head();
    if (!isOursAt(head.lastSlot())) {
      return new Event.Fenced();
    }
    String sha256 = adopt.object().sha256();
    long slot = adopt.object().slot();
    SlotRow planned =
        mutation == Mutation.ANY_WINDOW_BELIEVED
            ? database.common().everPlanned.get(sha256)
            : database.tables().slots.get(new SlotRow.Key(term.lockId(), slot, sha256));
    String another =
        mutation == Mutation.ANY_SLOT_ADOPTED
            ? ""
            : database
                .lossSigns(term.lockId(), planned != null)
                .refusal(new RecorderName("orders"), adopt.object());
    if (!another.isEmpty()) {
      return new Event.DatabaseRefused(another);
    }
    Window window = planned == null ? null : planned.window();
    if (planned != null
        && window != null
        && (mutation == Mutation.ANY_WINDOW_BELIEVED
            || window.from().equals(head.position().done()))) {
      LogChain chain = chainOfAdopted(head, adopt.object());
      database.write(() -> advance(slot, chain, planned.after()));
      return new Event.Adopted(row().head(), Adoption.byWindow(planned.rows()));
    }
    return adoptByIdentity(head, adopt.object());
  }

  /** Ours up to the slot, and then what the object has. */
  private LogChain chainOfAdopted(LogHead head, ObjectMetadata object) {
    String sha256 = object.sha256();
    if (mutation == Mutation.CHAIN_OF_THE_OWN_PLAN) {
      sha256 =
          database.tables().slots.keySet().stream()
              .filter(plan -> plan.lockId() == term.lockId() && plan.slot() == object.slot())
              .map(SlotRow.Key::sha256)
              .filter(other -> !other.equals(object.sha256()))
              .sorted()
              .findFirst()
              .orElse(sha256);
    }
    return head.chain().then(sha256);
  }

  private LedgerEvent adoptByIdentity(LogHead head, ObjectMetadata object) {
    long slot = object.slot();
    Optional<Slot> read;
    try {
      read = settings.source().read(slot);
    } catch (UnreadableSlotException e) {
      return new Event.DatabaseUnclear(String.valueOf(e.getMessage()));
    }
    if (read.isEmpty()) {
      return new Event.DatabaseUnclear("slot " + slot + " was there and is not");
    }
    if (mutation != Mutation.PREPARED_ROWS_OVERLOOKED
        && read.get().lines().stream()
            .anyMatch(line -> database.tables().prepared.contains(line.xid()))) {
      return new Event.DatabaseUnclear("a prepared transaction may hold rows of slot " + slot);
    }
    HandoffTable table = database.handoff(term.lockId());
    int[] matched = new int[1];
    database.write(
        () -> {
          for (RecordedLine line : read.get().lines()) {
            RowId place = new RowId(line.xid(), line.id());
            StoredRow here = table.rows.get(place);
            if (here != null && line.is(here.line().getBytes(StandardCharsets.UTF_8))) {
              table.exclusions.put(place, slot);
              matched[0]++;
            }
          }
          SlotRow.Key key = new SlotRow.Key(term.lockId(), slot, object.sha256());
          database.tables().slots.put(key, SlotRow.ofLines(key, read.get().lines()));
          advance(
              slot,
              mutation == Mutation.CHAIN_KEPT_WITH_THE_POSITION
                  ? head.chain()
                  : chainOfAdopted(head, object),
              row().position());
        });
    return new Event.Adopted(
        row().head(), new Adoption(true, read.get().lines().size(), matched[0]));
  }

  /** Whether this session has read it. */
  private boolean isRead(SlotContent content) {
    return content.origin().session().equals(session.id().toString());
  }

  private SlotContent.Origin origin() {
    return new SlotContent.Origin(session.id().toString(), database.identity());
  }

  private static LedgerEvent otherSession() {
    return new Event.DatabaseUnclear("the slot was read on a session that has ended");
  }
}
