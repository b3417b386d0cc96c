package dev.recorder.app.harness.proof;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says whether requests have had their effect, each once: reads the tables, the {@link
 * StatusJournal} and the documents with nothing of the product. For one thread.
 *
 * <p>The documents are computed anew, by a model that knows flat objects only: in the order of ids
 * each member is set, or removed if it is null. Of entities that several front ends share, the
 * order of whose requests only the ids tell and not the commits, each request's own member counts.
 */
public final class RequestOracle {
  /** The recorder whose handler, of the tests, keeps a book of who works on what. */
  public static final String JOBS = "jobs";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final TestDatabase database;
  private final List<String> recorders;
  private final Consumer<String> listener;
  private final Map<String, Map<String, JsonNode>> documents = new TreeMap<>();
  private final Set<String> complete = new HashSet<>();
  private final Set<String> entities = new HashSet<>();
  private final Set<String> lost = new HashSet<>();
  private long requests;
  private long errors;
  private long wrong;
  private long faults;
  private long longestWaitMillis;

  /**
   * @param recorders all that have had requests
   * @param listener hears of each fault as it is found
   */
  public RequestOracle(TestDatabase database, List<String> recorders, Consumer<String> listener) {
    this.database = database;
    this.recorders = recorders;
    this.listener = listener;
  }

  /** What a request is called: by the member {@code last} of its payload, or else by its id. */
  public static String name(String recorder, long id) {
    return recorder + " " + id;
  }

  /**
   * Examines everything.
   *
   * @param confirmed names of the requests whose commits were answered
   * @param objects documents by entity, as they lie in the bucket, of the recorder whose they are
   */
  public RequestProof examine(
      Collection<String> confirmed, String documented, Map<String, byte[]> objects)
      throws SQLException {
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.setFetchSize(1_000);
      for (String recorder : recorders) {
        readRequests(statement, recorder, recorder.equals(documented));
      }
      for (String name : confirmed) {
        if (!complete.contains(name)) {
          lose(name, "was committed and is not complete");
        }
      }
      compare(objects);
      long twice = count(statement, "request settled twice", SETTLED_TWICE);
      count(statement, "request that was not simply settled", NOT_FROM_NEW_TO_COMPLETE);
      if (recorders.contains(JOBS)) {
        count(statement, "job settled by a unit that had not left", NOT_LEFT);
      }
      long overlaps = count(statement, "units that overlap", "SELECT * FROM proof.overlaps");
      return new RequestProof(
          requests,
          entities.size(),
          database.number("SELECT count(DISTINCT process) FROM proof.changes"),
          lost.size(),
          twice,
          wrong,
          overlaps,
          errors,
          faults,
          longestWaitMillis);
    }
  }

  /** How many requests have lost an attempt with whoever worked on them. */
  public long withLostAttempts() throws SQLException {
    return database.number(
        recorders.stream()
            .map("(SELECT count(*) FROM handoff.%s WHERE deaths > 0)"::formatted)
            .collect(Collectors.joining(" + ", "SELECT ", "")));
  }

  private static final String SETTLED_TWICE =
      "SELECT recorder, id, count(*) FROM proof.changes WHERE after IN ('complete', 'error')"
          + " GROUP BY recorder, id HAVING count(*) > 1";

  private static final String NOT_FROM_NEW_TO_COMPLETE =
      "SELECT * FROM proof.changes WHERE (before, after) <> ('new', 'complete')";

  private static final String NOT_LEFT =
      "SELECT j.id, j.entity_id, j.process_id, j.fence FROM handoff.jobs j LEFT JOIN proof.units u"
          + " ON u.process = j.process_id AND u.entity = j.entity_id AND j.id = ANY (u.ids)"
          + " AND u.fence = j.fence AND u.left_at IS NOT NULL"
          + " WHERE j.request_status = 'complete' AND u.process IS NULL";

  private void readRequests(Statement statement, String recorder, boolean documented)
      throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT id, entity_id, payload, request_status, coalesce(error_text, ''),"
                + " extract(epoch FROM settled_at - created_at) * 1000, request_type FROM handoff."
                + recorder
                + " ORDER BY id")) {
      while (row.next()) {
        requests++;
        String entity = row.getString(2);
        entities.add(recorder + "/" + entity);
        JsonNode payload = parse(row.getString(3));
        if (row.getString(4).equals("complete")) {
          complete.add(payload.path("last").asText(name(recorder, row.getLong(1))));
          longestWaitMillis = Math.max(longestWaitMillis, row.getLong(6));
        } else {
          errors += row.getString(4).equals("error") ? 1 : 0;
          blame(
              "%s %d of %s is %s: %s",
              recorder, row.getLong(1), entity, row.getString(4), row.getString(5));
        }
        if (documented) {
          Map<String, JsonNode> document =
              documents.computeIfAbsent(entity, any -> new HashMap<>());
          if (row.getString(7).equals("create")) {
            payload.properties().forEach(m -> document.put(m.getKey(), m.getValue()));
          } else {
            apply(document, payload);
          }
        }
      }
    }
  }

  /** An update's payload. A create's is the document as it stands, with its nulls. */
  private static void apply(Map<String, JsonNode> document, JsonNode payload) {
    payload
        .properties()
        .forEach(
            member -> {
              if (member.getValue().isNull()) {
                document.remove(member.getKey());
              } else {
                document.put(member.getKey(), member.getValue());
              }
            });
  }

  private void compare(Map<String, byte[]> objects) {
    documents.forEach(
        (entity, expected) -> {
          Map<String, JsonNode> actual = members(objects.get(entity));
          expected.keySet().stream()
              .filter(each -> each.startsWith("r") && !actual.containsKey(each))
              .forEach(each -> lose(each, "is not in the document of " + entity));
          if (!objects.containsKey(entity)
              || !comparable(entity, expected).equals(comparable(entity, actual))) {
            wrong++;
            blame("the document of %s is %s instead of %s", entity, actual, expected);
          }
        });
    objects.keySet().stream()
        .filter(each -> !documents.containsKey(each))
        .forEach(each -> blame("nobody asked for the document of %s", each));
  }

  private static Map<String, JsonNode> comparable(String entity, Map<String, JsonNode> document) {
    Map<String, JsonNode> own = new TreeMap<>(document);
    if (entity.startsWith("shared-")) {
      own.keySet().removeIf(each -> !each.startsWith("r"));
    }
    return own;
  }

  private static Map<String, JsonNode> members(byte @Nullable [] object) {
    Map<String, JsonNode> members = new HashMap<>();
    if (object != null) {
      try {
        JSON.readTree(object).properties().forEach(m -> members.put(m.getKey(), m.getValue()));
      } catch (IOException noJson) {
        members.put("not JSON", JSON.getNodeFactory().textNode(String.valueOf(noJson)));
      }
    }
    return members;
  }

  private void lose(String name, String how) {
    if (lost.add(name)) {
      blame("%s %s", name, how);
    }
  }

  private long count(Statement statement, String what, String sql) throws SQLException {
    long count = 0;
    try (ResultSet row = statement.executeQuery(sql)) {
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        count++;
        StringBuilder all = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          all.append(' ').append(row.getString(i));
        }
        blame("%s:%s", what, all);
      }
    }
    return count;
  }

  private void blame(String format, Object... arguments) {
    faults++;
    listener.accept(String.format(Locale.ROOT, format, arguments));
  }

  private static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
