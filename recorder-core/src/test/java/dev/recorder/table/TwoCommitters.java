package dev.recorder.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.recorder.store.ObjectStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Two hosts that bring one table up to date at the same time, over a bucket that loses requests and
 * answers, or lets a request take effect late. Each step is chosen from outside, so that all orders
 * can be tried. After each step the promises are checked.
 */
final class TwoCommitters {
  private static final UUID LOG = new UUID(1, 1);
  private static final TableLayout LAYOUT = new TableLayout("t.delta/");
  private static final int SLOTS = 2;

  /** A rule of the protocol that is broken. */
  enum Mutant {
    NONE,
    /** A commit replaces what is there. */
    PLAIN_PUT,
    /** Which slots are in is known from before the run, not from the last commit. */
    STALE_HINT,
    /** A commit without an answer passes for written. */
    GOES_ON_WHILE_UNKNOWN,
    /** A file's name does not depend on its bytes. */
    NAME_WITHOUT_HASH,
    /** A file without an answer passes for written. */
    FILE_WHILE_UNKNOWN
  }

  /** What can happen next. */
  record Move(int host, Happening happening) {}

  /** To one step of a host, or to a request that is still under way. */
  enum Happening {
    ANSWERED,
    /** The request takes effect, its answer is lost. */
    ANSWER_LOST,
    REQUEST_LOST,
    /** The answer is lost, and the request takes effect at any later time. */
    LATE,
    CRASH,
    /** The oldest late request takes effect. */
    LANDS
  }

  private final Mutant mutant;
  private final int faults;
  private final Map<String, byte[]> objects = new TreeMap<>();
  private final List<CommitRun.PutObject> late = new ArrayList<>();
  private final CommittingHost[] hosts = {new CommittingHost("A", 1), new CommittingHost("B", 2)};
  private int happened;
  private boolean changed;

  TwoCommitters(Mutant mutant, int faults) {
    this.mutant = mutant;
    this.faults = faults;
  }

  private static final class CommittingHost {
    private final String name;

    /** How many slots it takes for a file. */
    private final int most;

    private DeltaState state = new DeltaState(LOG);
    private CommitRun run = new CommitRun(LAYOUT, state);
    private long hint;
    private boolean done;

    private CommittingHost(String name, int most) {
      this.name = name;
      this.most = most;
    }

    private void begin(DeltaState from) {
      state = from;
      hint = from.covered();
      run = new CommitRun(LAYOUT, from);
    }

    @Override
    public String toString() {
      return done ? "done" : run + "," + hint;
    }
  }

  /** All moves that are possible now. */
  List<Move> moves() {
    List<Move> moves = new ArrayList<>();
    for (int i = 0; i < hosts.length; i++) {
      if (hosts[i].done) {
        continue;
      }
      moves.add(new Move(i, Happening.ANSWERED));
      if (happened < faults) {
        CommitRun.RunStep step = hosts[i].run.next();
        if (step instanceof CommitRun.PutObject) {
          moves.add(new Move(i, Happening.ANSWER_LOST));
          moves.add(new Move(i, Happening.LATE));
        }
        if (!(step instanceof CommitRun.Propose)) {
          moves.add(new Move(i, Happening.REQUEST_LOST));
        }
        moves.add(new Move(i, Happening.CRASH));
      }
    }
    if (!late.isEmpty()) {
      moves.add(new Move(0, Happening.LANDS));
    }
    return moves;
  }

  /** Makes a move. */
  private void make(Move move) {
    CommittingHost host = hosts[move.host()];
    happened +=
        move.happening() == Happening.ANSWERED || move.happening() == Happening.LANDS ? 0 : 1;
    if (move.happening() == Happening.LANDS) {
      store(late.remove(0));
    } else if (move.happening() == Happening.CRASH) {
      host.begin(new DeltaState(LOG));
    } else {
      step(host, move.happening());
    }
  }

  /** What is wrong now; empty if nothing is. */
  private String verdict() {
    String wrong = wrong();
    boolean isOver = moves().isEmpty() && late.isEmpty();
    return wrong.isEmpty() && isOver && covered() != SLOTS
        ? "all is done, and the table has " + covered() + " slots"
        : wrong;
  }

  private void step(CommittingHost host, Happening happening) {
    ObjectStore.Unclear unclear = new ObjectStore.Unclear("lost", true);
    boolean lost = happening != Happening.ANSWERED;
    CommitRun.RunStep step = host.run.next();
    if (step instanceof CommitRun.ReadCommit look) {
      byte[] body = objects.get(look.key());
      host.run.read(
          lost
              ? unclear
              : body == null ? new ObjectStore.Absent() : new ObjectStore.Body(body, Map.of()));
    } else if (step instanceof CommitRun.CheckFile check) {
      boolean there = objects.containsKey(check.key());
      host.run.checked(
          lost ? unclear : there ? new ObjectStore.Present(Map.of()) : new ObjectStore.Absent());
    } else if (step instanceof CommitRun.PutObject put) {
      put(host, put, happening);
    } else if (step instanceof CommitRun.Propose) {
      host.run.proposed(proposal(host));
    }
    if (host.run.next() instanceof CommitRun.Ended ended) {
      host.done = ended.outcome() instanceof CommitRun.UpToDate;
      host.begin(host.state);
    }
  }

  private void put(CommittingHost host, CommitRun.PutObject put, Happening happening) {
    boolean isCommit = put.key().endsWith(".json");
    boolean passesForWritten =
        mutant == (isCommit ? Mutant.GOES_ON_WHILE_UNKNOWN : Mutant.FILE_WHILE_UNKNOWN);
    ObjectStore.PutAnswer answer = new ObjectStore.Unclear("lost", true);
    if (happening == Happening.ANSWERED) {
      answer = store(put);
    } else if (happening == Happening.ANSWER_LOST) {
      store(put);
    } else if (happening == Happening.LATE) {
      late.add(put);
    }
    boolean isUnclear = answer instanceof ObjectStore.Unclear;
    host.run.put(isUnclear && passesForWritten ? new ObjectStore.Created() : answer);
  }

  private ObjectStore.PutAnswer store(CommitRun.PutObject put) {
    if (mutant == Mutant.PLAIN_PUT && put.key().endsWith(".json")) {
      byte[] before = objects.put(put.key(), put.body());
      changed |= before != null && !Arrays.equals(before, put.body());
      return new ObjectStore.Created();
    }
    return objects.putIfAbsent(put.key(), put.body()) == null
        ? new ObjectStore.Created()
        : new ObjectStore.AlreadyThere();
  }

  private Optional<Proposal> proposal(CommittingHost host) {
    ObjectNode info = DeltaJson.object().put("nonce", host.name);
    List<ObjectNode> actions = new ArrayList<>();
    actions.add(DeltaJson.object().set("commitInfo", info));
    if (!host.state.isThere()) {
      actions.add(
          DeltaJson.object()
              .set(
                  "protocol",
                  DeltaJson.object().put("minReaderVersion", 1).put("minWriterVersion", 2)));
      actions.add(DeltaJson.object().set("metaData", DeltaJson.object().put("id", LOG.toString())));
      actions.add(transaction(0));
      return Optional.of(new Proposal(Map.of(), actions));
    }
    long from = (mutant == Mutant.STALE_HINT ? host.hint : host.state.covered()) + 1;
    long to = Math.min(from + host.most - 1, SLOTS);
    if (from > SLOTS) {
      return Optional.empty();
    }
    String rows = from + "-" + to;
    String content = rows + " packed by " + host.name; // Other bytes of the same rows.
    String path = rows + (mutant == Mutant.NAME_WITHOUT_HASH ? "" : "-" + host.name);
    actions.add(transaction(to));
    ObjectNode add = DeltaJson.object().put("path", path).put("content", content);
    add.put("from", from).put("to", to);
    actions.add(DeltaJson.object().set("add", add));
    return Optional.of(
        new Proposal(Map.of(LAYOUT.fileKey(path), content.getBytes(UTF_8)), actions));
  }

  private static ObjectNode transaction(long last) {
    return DeltaJson.object()
        .set("txn", DeltaJson.object().put("appId", LOG.toString()).put("version", last));
  }

  private long covered() {
    DeltaState state = new DeltaState(LOG);
    byte[] commit = objects.get(LAYOUT.commitKey(0));
    while (commit != null) {
      state.apply(commit);
      commit = objects.get(LAYOUT.commitKey(state.version() + 1));
    }
    return state.covered();
  }

  /** Which promise is broken. */
  private String wrong() {
    if (changed) {
      return "a commit has changed";
    }
    long commits = objects.keySet().stream().filter(key -> key.endsWith(".json")).count();
    long next = 1;
    for (long version = 0; version < commits; version++) {
      byte[] commit = objects.get(LAYOUT.commitKey(version));
      if (commit == null) {
        return "commit " + version + " is missing";
      }
      for (String line : new String(commit, UTF_8).lines().toList()) {
        JsonNode add = DeltaJson.parse(line).get("add");
        if (add == null) {
          continue;
        }
        byte[] file = objects.get(LAYOUT.fileKey(add.path("path").asText()));
        if (file == null) {
          return "file " + add + " is missing";
        } else if (!new String(file, UTF_8).equals(add.path("content").asText())) {
          return "file " + add + " is another: " + new String(file, UTF_8);
        } else if (add.path("from").asLong() != next) {
          return "slot " + next + " was to come, in " + add;
        }
        next = add.path("to").asLong() + 1;
      }
    }
    return next - 1 == covered() ? "" : "the table says it has " + covered() + " of " + (next - 1);
  }

  /** All that the future depends on. */
  String key() {
    StringBuilder key = new StringBuilder();
    objects.forEach((name, body) -> key.append(name).append(new String(body, UTF_8)));
    late.forEach(put -> key.append(put.key()).append(new String(put.body(), UTF_8)));
    return key.append(Arrays.toString(hosts)).append(happened).toString();
  }

  /** Null if nothing goes wrong in whatever order; else how it went wrong. */
  static @Nullable String search(Mutant mutant, int faults, int[] states) {
    java.util.Set<String> known = new java.util.HashSet<>();
    java.util.Deque<List<Move>> open = new java.util.ArrayDeque<>();
    open.push(List.of());
    while (!open.isEmpty()) {
      List<Move> path = open.pop();
      TwoCommitters now = new TwoCommitters(mutant, faults);
      path.forEach(now::make);
      if (!known.add(now.key())) {
        continue;
      }
      String wrong = now.verdict();
      if (!wrong.isEmpty()) {
        return wrong + " after " + path;
      }
      states[0]++;
      for (Move move : now.moves()) {
        List<Move> longer = new ArrayList<>(path);
        longer.add(move);
        open.push(longer);
      }
    }
    return null;
  }
}
