package dev.recorder.capture;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.CaptureTriggerNames;
import dev.recorder.schema.QueryFunction;
import dev.recorder.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The names of a capture's tables, functions, sequences and triggers in the database. */
public record CaptureNames(SchemaNames schemas) {
  /**
   * The role that owns the triggers' functions. Its rights cover only the work of these functions.
   */
  public static final String ROLE = Schema.CAPTURE;

  private static final int HASH_BYTES = 5;

  /** Returns the table of captures. */
  public String captures() {
    return schemas.table("captures");
  }

  /**
   * Returns the table that notes the {@code schema} rows written to logs since {@code capture add}.
   */
  public String toldColumns() {
    return schemas.table("told_columns");
  }

  /** Returns the table of relations that were changed while detached from their capture. */
  public String detachedChanges() {
    return schemas.table("detached_changes");
  }

  /** Returns the table of snapshots. */
  public String snapshots() {
    return schemas.table("snapshots");
  }

  /** Returns the name of the advisory lock of a table's snapshot. */
  public static String snapshotLock(RecorderName recorder, TableName table) {
    return "snapshot " + recorder + " " + table.logged();
  }

  /** Returns the sequence that numbers the statements of all tables of a log. */
  public String sequence(RecorderName recorder) {
    return schemas.captureSequence(recorder);
  }

  /** Returns the common prefix of a recorder's function names, without the schema. */
  public static String functionPrefix(RecorderName recorder) {
    return "capture_" + recorder + "_";
  }

  /**
   * Returns the name of the triggers' function without its schema. It has a hash instead of the
   * table's name, since the names of recorder and table together may be too long.
   */
  public static String functionName(CaptureRule rule) {
    return functionPrefix(rule.recorder()) + hash(rule);
  }

  private static String hash(CaptureRule rule) {
    TableName table = rule.table();
    byte[] digest = sha256(table.schema() + "\0" + table.name());
    return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
  }

  /** Returns the function of a table's triggers. */
  public String function(CaptureRule rule) {
    return schemas.table(functionName(rule));
  }

  /** Returns the sequence that numbers the rows of {@link #toldColumns} of one captured table. */
  public String toldNumbers(CaptureRule rule) {
    return schemas.table(functionName(rule) + "_told");
  }

  /** Returns the functions that exist for this capture alone, with their parameters. */
  public List<String> functions(CaptureRule rule) {
    String ofTriggers = function(rule) + "()";
    return rule.isOfDocuments()
        ? List.of(ofTriggers, entityFunction(rule) + "(json, text)")
        : List.of(ofTriggers);
  }

  /**
   * Returns the function that evaluates {@code --entity}: the entities whose documents a row
   * belongs to.
   */
  public String entityFunction(CaptureRule rule) {
    return schemas.table(QueryFunction.OF_ENTITIES + rule.recorder() + "_" + hash(rule));
  }

  /**
   * Returns the name of a trigger, which is the same on each table.
   *
   * @param event in small letters
   */
  public static String trigger(RecorderName recorder, String event) {
    return CaptureTriggerNames.name(recorder, event);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
