package dev.recorder.leadership.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The conditions that hosts report in the table {@code conditions}. Each host has one row, with its
 * present conditions and its session. A row from another session than the host's present one is
 * stale, so rows need not be removed after a crash.
 */
public final class Conditions {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Sql state;

  public Conditions(SchemaNames schemas) {
    this.state = Sql.in(schemas, STATE);
  }

  private static final String STATE =
      """
      INSERT INTO {conditions} AS c (name, pid, backend_start, stated_at, conditions)
      VALUES (:machine, :pid, :backendStart::timestamptz, clock_timestamp(), :conditions::json)
      ON CONFLICT (name) DO UPDATE SET pid = excluded.pid, backend_start = excluded.backend_start,
        stated_at = excluded.stated_at, conditions = excluded.conditions
      """;

  /** Replaces this host's conditions by these, and returns the number of rows written. */
  public int state(
      Connection connection,
      String machine,
      RdsManager.Identity identity,
      List<Condition> conditions)
      throws SQLException {
    try (SqlStatement statement = state.on(connection)) {
      return statement
          .set("machine", machine)
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .set("conditions", json(conditions))
          .update();
    }
  }

  static String json(List<Condition> conditions) {
    ArrayNode all = JSON.createArrayNode();
    for (Condition condition : conditions) {
      all.addObject()
          .put("recorder", condition.recorder())
          .put("about", condition.about().name().toLowerCase(Locale.ROOT))
          .put("why", condition.why().replace('\0', ' '))
          .put("lasts_ms", condition.lasts().toMillis());
    }
    return all.toString();
  }

  /**
   * Reads the conditions in a row. Kinds of a newer version that this version does not know are
   * left out.
   */
  public static List<Condition> parse(String json) {
    List<Condition> conditions = new ArrayList<>();
    try {
      for (JsonNode each : JSON.readTree(json)) {
        String word = each.path("about").asText().toUpperCase(Locale.ROOT);
        for (About about : About.values()) {
          if (about.name().equals(word)) {
            conditions.add(
                new Condition(
                    each.path("recorder").asText(),
                    about,
                    each.path("why").asText(),
                    Duration.ofMillis(each.path("lasts_ms").asLong())));
          }
        }
      }
    } catch (JsonProcessingException notOurs) {
      return List.of();
    }
    return List.copyOf(conditions);
  }
}
