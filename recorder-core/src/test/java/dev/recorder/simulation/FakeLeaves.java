package dev.recorder.simulation;

import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves;
import dev.recorder.clearing.LeafContent;
import dev.recorder.clearing.TableState;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.RowKey;
import dev.recorder.simulation.servers.Mutation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Leaves in the imaginary database, with the statements of the real ones in their order. */
final class FakeLeaves implements HandoffLeaves {
  private final Server server;
  private final Mutation mutation;

  /** Sends a statement, and waits for its answer. */
  interface Server {
    /**
     * Sends one.
     *
     * @throws LostException if no answer comes
     */
    <T> T ask(String what, Function<LeafStatements, T> statement);

    /** What they are sent on. */
    Object connection();
  }

  /** The session is of no use any more. */
  static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException(String why) {
      super(why, null, false, false);
    }
  }

  FakeLeaves(Server server, Mutation mutation) {
    this.server = server;
    this.mutation = mutation;
  }

  @Override
  public Object session() {
    return server.connection();
  }

  @Override
  public TableState look() {
    return server.ask("looks at leaves", LeafStatements::look);
  }

  @Override
  public void noteBlock(long block) {
    boolean unused = server.ask("notes a block", session -> session.noteBlock(block));
  }

  @Override
  public boolean rotate(long block) {
    return server.ask("rotates behind " + block, session -> session.rotate(block));
  }

  @Override
  public void mergeBlocks(long currentBlock) {}

  @Override
  public String inUse(Closed leaf) {
    return server.ask("is it in use", session -> session.isFree(leaf)) ? "" : "others use it";
  }

  @Override
  public String heldBy(Closed leaf) {
    return "";
  }

  @Override
  public LeafContent content(Closed leaf) {
    return server.ask("content of " + leaf.leaf(), session -> session.content(leaf));
  }

  @Override
  public HandoffRows rows(Closed leaf) {
    return sink -> {
      for (int half = 0; half < 2; half++) {
        int range = half;
        server
            .ask("rows of " + leaf.leaf(), session -> session.rows(leaf, range))
            .forEach(sink::row);
        sink.progress(half + 1L, 2);
      }
    };
  }

  @Override
  public String empty(Closed leaf, Proof proof) {
    if (!server.ask("locks " + leaf.leaf(), session -> session.lock(leaf))) {
      return "others use it";
    }
    String trouble = underTheLock(leaf, proof);
    boolean unused = server.ask("ends its transaction", LeafStatements::unlock);
    return trouble;
  }

  private String underTheLock(Closed leaf, Proof proof) {
    long current = server.ask("looks at leaves", LeafStatements::look).currentBlock();
    if (Block.leafOf(current) == leaf.leaf()) {
      return "it is in use";
    }
    if (mutation != Mutation.CLEARED_WITHOUT_SECOND_LOOK) {
      if (server.ask("does anybody wait", session -> session.isWaitedFor(leaf))) {
        return "a session wants to insert into it";
      }
      if (!content(leaf).equals(proof.content())) {
        return "rows came into it while it was compared with the log";
      }
    }
    if (mutation != Mutation.CLEARED_WITH_AN_OLD_EPOCH
        && !server.ask("is the term over", LeafStatements::holdsTerm)) {
      return "the term is over";
    }
    return server.ask("empties " + leaf.leaf(), session -> session.empty(leaf, proof))
        ? ""
        : "others use it";
  }

  @Override
  public Optional<String> troubleOfOne(RuntimeException failure) {
    return Optional.empty();
  }

  @Override
  public LogRecords records() {
    return new LogRecords() {
      @Override
      public SettledLog settled() {
        return server.ask("where does the log stand", LeafStatements::settled);
      }

      @Override
      public List<SlotPlan> plans(long slot) {
        return server.ask("plans of " + slot, session -> session.plans(slot));
      }

      @Override
      public long plansFrom() {
        return 1;
      }

      @Override
      public OptionalLong slotOf(RowKey row) {
        return OptionalLong.empty();
      }

      @Override
      public String remedy(List<RowKey> lost) {
        return "";
      }
    };
  }
}
