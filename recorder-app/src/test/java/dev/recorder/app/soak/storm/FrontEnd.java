package dev.recorder.app.soak.storm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.harness.Applications;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * One front end: hands requests over, transaction by transaction, and remembers which were
 * confirmed. Each request has a name of its own, which is a member of its payload that no other
 * request touches. For one thread.
 */
final class FrontEnd implements Applications.Work {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_IN_TRANSACTION = 3;
  private static final int ROLLBACK_PERCENT = 3;
  private static final int LONG_PERCENT = 15;
  private static final int LONGEST_MILLIS = 1_500;

  /** More updates than that make an entity's document long, and another one takes its place. */
  private static final int MOST_UPDATES = 120;

  private static final int ENTITIES = 6;
  private static final int COMMON_MEMBERS = 4;

  private final Kind kind;
  private final int number;
  private final Random random;
  private final Set<String> confirmed;
  private final int[] generations = new int[ENTITIES];
  private final int[] updates = new int[ENTITIES];
  private int count;

  /** What a front end asks for. */
  enum Kind {
    /** Creates and updates of documents that are its own: their ids are in its order. */
    OWN("accounts"),
    /**
     * Updates of documents that it shares with others of its kind, in transactions that take long:
     * lower ids are committed after higher ones. Nobody creates these.
     */
    SHARED("accounts"),
    /** Creates and updates that a handler of the test processes. */
    JOBS("jobs");

    private final String recorder;

    Kind(String recorder) {
      this.recorder = recorder;
    }

    String recorder() {
      return recorder;
    }
  }

  /**
   * @param confirmed gets the names of all requests whose commit was answered
   */
  FrontEnd(Kind kind, int number, Random random, Set<String> confirmed) {
    this.kind = kind;
    this.number = number;
    this.random = random;
    this.confirmed = confirmed;
    Arrays.fill(updates, -1);
  }

  @Override
  public void transact(Connection connection) throws SQLException, InterruptedException {
    List<String> names = new ArrayList<>();
    int requests = 1 + random.nextInt(MOST_IN_TRANSACTION);
    int slot = random.nextInt(ENTITIES);
    int[] updatesBefore = updates.clone();
    int[] generationsBefore = generations.clone();
    boolean known = false;
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO handoff."
                + kind.recorder()
                + " (request_type, entity_id, payload) VALUES (?, ?, ?::json)")) {
      for (int i = 0; i < requests; i++) {
        names.add(insert(insert, slot));
      }
      if (kind == Kind.SHARED) {
        dawdle();
      }
      if (random.nextInt(100) < ROLLBACK_PERCENT) {
        connection.rollback();
        System.arraycopy(updatesBefore, 0, updates, 0, ENTITIES);
        System.arraycopy(generationsBefore, 0, generations, 0, ENTITIES);
        known = true;
        return;
      }
      connection.commit();
      known = true;
      confirmed.addAll(names);
    } finally {
      if (!known) {
        // Whether the create is there is not known: what comes next is another entity.
        generations[slot]++;
        updates[slot] = -1;
      }
    }
  }

  private void dawdle() throws InterruptedException {
    boolean longer = random.nextInt(100) < LONG_PERCENT;
    Thread.sleep(longer ? random.nextInt(LONGEST_MILLIS) : random.nextInt(30));
  }

  private String insert(PreparedStatement insert, int slot) throws SQLException {
    if (updates[slot] >= MOST_UPDATES) {
      generations[slot]++;
      updates[slot] = -1;
    }
    boolean create = updates[slot]++ < 0 && kind != Kind.SHARED;
    String name = "r" + number + "-" + count++;
    insert.setString(1, create ? "create" : "update");
    insert.setString(2, entity(slot));
    insert.setString(3, payload(name));
    insert.executeUpdate();
    return name;
  }

  private String entity(int slot) {
    return switch (kind) {
      case OWN -> "own-" + number + "-" + slot + "-" + generations[slot];
      case SHARED -> "shared-" + slot + "-" + count / (ENTITIES * MOST_UPDATES);
      case JOBS -> "job-" + number + "-" + slot + "-" + generations[slot];
    };
  }

  private String payload(String name) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put(name, 1);
    members.put("last", name);
    members.put("m" + random.nextInt(COMMON_MEMBERS), random.nextInt(3) == 0 ? null : name);
    try {
      return JSON.writeValueAsString(members);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
