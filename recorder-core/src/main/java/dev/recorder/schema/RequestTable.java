package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlTemplate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The hand-off table of requests.
 *
 * <p>Its indexes, each of which every insert and every settlement pays for: the identity; one
 * create per entity; {@code _new}, by which a claim finds the first row behind the line without
 * looking at settled ones; {@code _entity}, by which a unit finds its rows and an operator an
 * entity's history; {@code _error}, for operators. Entity ids longer than a key in S3 could be are
 * turned away.
 *
 * <p>Their names begin as no recorder's name does: a table {@code orders_new} may be wanted, too.
 */
public record RequestTable(SchemaNames names, RecorderName recorder) {
  /** Most bytes of an entity id. */
  public static final int LONGEST_ENTITY = 1024;

  private static final String INDEXABLE =
      SqlTemplate.fill(
          "octet_length(entity_id) <= {longest}",
          Map.of("longest", Integer.toString(LONGEST_ENTITY)));

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {table} (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        request_status text NOT NULL DEFAULT 'new' CONSTRAINT request_status_is_known
          CHECK (request_status IN ('new', 'in-progress', 'complete', 'error')),
        request_type text NOT NULL DEFAULT 'create' CONSTRAINT request_type_is_known
          CHECK (request_type IN ('create', 'update')),
        process_id uuid,
        entity_id text NOT NULL,
        payload json,
        error_text text,
        attempts int NOT NULL DEFAULT 0,
        deaths int NOT NULL DEFAULT 0,
        begun_by text,
        begun_at timestamptz,
        not_before timestamptz,
        fence xid8,
        created_at timestamptz NOT NULL DEFAULT now(),
        settled_at timestamptz
      )\
      """;

  /** Whether an index could hold it, and S3. */
  public static boolean isIndexable(String entity) {
    return entity.getBytes(StandardCharsets.UTF_8).length <= LONGEST_ENTITY;
  }

  List<String> create(long maxPayload) {
    return List.of(
        SqlTemplate.fill(CREATE, Map.of("table", names.handoffTable(recorder))),
        index("UNIQUE ", "one_create", "(entity_id) WHERE request_type = 'create' AND {indexable}"),
        index("", "new", "(id) WHERE request_status = 'new'"),
        index("", "entity", "(entity_id, request_status, id) WHERE {indexable}"),
        index("", "error", "(id) WHERE request_status = 'error'"),
        TableCheck.shortEntity(names, recorder).sql(),
        new PayloadLimit(names, recorder, RecorderKind.REQUESTS, maxPayload).sql());
  }

  /** Their names, except the primary key's, which the server chooses. */
  static List<String> indexes(RecorderName recorder) {
    return Stream.of("one_create", "new", "entity", "error")
        .map(name -> indexName(recorder, name))
        .toList();
  }

  private static String indexName(RecorderName recorder, String name) {
    return "_" + recorder + "_" + name;
  }

  private static final String CREATE_INDEX = "CREATE {unique}INDEX {name} ON {table} {on}";

  private String index(String unique, String name, String on) {
    String index = indexName(recorder, name);
    return MissingIndex.sql(
        names.handoffObject(index),
        SqlTemplate.fill(
            CREATE_INDEX,
            Map.of(
                "unique",
                unique,
                "name",
                index,
                "table",
                names.handoffTable(recorder),
                "on",
                SqlTemplate.fillFromShared(on, Map.of("indexable", INDEXABLE)))));
  }

  /** To process requests, to insert them by command, and to clear away old ones. */
  List<String> grants(String role) {
    return List.of(
        SqlTemplate.fill(
            "GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {role}",
            Map.of("table", names.handoffTable(recorder), "role", role)));
  }

  private static final String GRANT_TO_PRODUCERS =
      """
      GRANT INSERT (request_type, entity_id, payload), \
      SELECT (id, request_status, request_type, process_id, entity_id, error_text, attempts, \
      not_before, created_at, settled_at) ON {table} TO {producers}\
      """;

  /** To ask, and to see the outcome; what others have asked for stays theirs. */
  List<String> grantToProducers() {
    return List.of(
        SqlTemplate.fill(
            GRANT_TO_PRODUCERS,
            Map.of("table", names.handoffTable(recorder), "producers", Schema.PRODUCERS)));
  }
}
