package dev.recorder.schema;

import dev.recorder.handoff.Block;
import dev.recorder.handoff.ChangeMark;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.schema.SqlScriptFile.GrantedRight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The SQL of a recorder's hand-off table: {@code handoff.sql} in this package, filled with the
 * names of the recorder, the schemas and the hosts' role.
 */
record HandoffScript(SchemaNames names, RecorderName recorder, RecorderKind kind) {
  private static final SqlScriptFile SCRIPT = SqlScriptFile.of("handoff.sql");

  /** The comment of a hand-off table, before the name of its control schema. */
  static final String BELONGS = "Rows for the recorders of schema ";

  private static final String RECORDING = "Rights to record a log";
  private static final String TICKING = "Rights to tick";
  private static final String CLEARING = "Rights to clear a log";
  private static final String WORKING = "Rights to work on requests";

  /** Returns statements that create the table, to be sent together. */
  String create(long maxPayload) {
    return filled(
            isLog() ? "Table of a log" : "Table of requests",
            Map.of("max_payload", Long.toString(maxPayload)))
        + filled("Both tables", Map.of());
  }

  /** Returns the statements that grant rights to {@code role}, the one role of all hosts. */
  String grants(String role) {
    return isLog()
        ? rights(RECORDING, role) + rights(TICKING, role) + rights(CLEARING, role)
        : rights(WORKING, role);
  }

  String grantsToProducers() {
    return filled(
        isLog() ? "Rights of producers of a log" : "Rights of producers of requests", Map.of());
  }

  /** Returns the granted rights without which a host cannot process the rows. */
  List<GrantedRight> rightsToWork(boolean ticks) {
    if (!isLog()) {
      return SqlScriptFile.grants(rights(WORKING, ""));
    }
    return SqlScriptFile.grants(rights(RECORDING, "") + (ticks ? rights(TICKING, "") : ""));
  }

  /** Returns the granted rights without which the rows of a log cannot be deleted. */
  List<GrantedRight> rightsToClear() {
    return SqlScriptFile.grants(rights(CLEARING, ""));
  }

  private String rights(String section, String role) {
    return filled(section, Map.of("role", Quoted.identifier(role)));
  }

  private static final Pattern INDEX = Pattern.compile("INDEX (\\S+) ON");

  /**
   * Returns the names of the table's indexes, without the primary key's, which the server chooses.
   */
  List<String> indexes() {
    return INDEX.matcher(create(0)).results().map(found -> found.group(1)).toList();
  }

  private boolean isLog() {
    return kind == RecorderKind.LOG;
  }

  private String filled(String section, Map<String, String> more) {
    Map<String, String> pieces = new HashMap<>(more);
    pieces.put("control", names.control());
    pieces.put("handoff", names.handoff());
    pieces.put("recorder", recorder.value());
    pieces.put("table", names.handoffTable(recorder));
    pieces.put("taken_back", DefaultPrivileges.ofRelations(List.of(names.handoffTable(recorder))));
    pieces.put("belongs", BELONGS);
    pieces.put("leaves", leaves());
    pieces.put("last_leaf", Integer.toString(Block.LEAVES - 1));
    pieces.put("block_bits", Integer.toString(Block.BITS));
    pieces.put("change", Quoted.literal(ChangeMark.BEGINNING));
    pieces.put("longest_entity", Integer.toString(HandoffTable.LONGEST_ENTITY));
    String text = SqlScriptFile.withoutComments(SCRIPT.section(section));
    return SqlTemplate.fillFromShared(text, pieces);
  }

  private String leaves() {
    return IntStream.range(0, Block.LEAVES)
        .mapToObj(leaf -> names.handoffLeaf(recorder, leaf))
        .collect(Collectors.joining(", "));
  }
}
