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

/** What the parts of captures are called in the database. */
public record CaptureNames(SchemaNames schemas) {
  /** Owns the triggers' functions, and may do nothing but what they do. */
  public static final String ROLE = Schema.CAPTURE;

  private static final int HASH_BYTES = 5;

  /** The table of captures. */
  public String captures() {
    return schemas.table("captures");
  }

  /** The table of columns that logs were told since their captures were set up. */
  public String toldColumns() {
    return schemas.table("told_columns");
  }

  /** The table of relations that were changed while they were no part of their capture. */
  public String detachedChanges() {
    return schemas.table("detached_changes");
  }

  /** The table of snapshots. */
  public String snapshots() {
    return schemas.table("snapshots");
  }

  /** Name of the advisory lock of a table's snapshot. */
  public static String snapshotLock(RecorderName recorder, TableName table) {
    return "snapshot " + recorder + " " + table.logged();
  }

  /** The sequence that numbers the statements of all tables of a log. */
  public String sequence(RecorderName recorder) {
    return schemas.captureSequence(recorder);
  }

  /** What all names of functions of a recorder begin with, without the schema. */
  public static String functionPrefix(RecorderName recorder) {
    return "capture_" + recorder + "_";
  }

  /** Without its schema. A hash stands for the table: both names together may be too long. */
  public static String functionName(CaptureRule rule) {
    return functionPrefix(rule.recorder()) + hash(rule);
  }

  private static String hash(CaptureRule rule) {
    TableName table = rule.table();
    byte[] digest = sha256(table.schema() + "\0" + table.name());
    return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
  }

  /** The function of a table's triggers. */
  public String function(CaptureRule rule) {
    return schemas.table(functionName(rule));
  }

  /** The sequence that numbers the rows of the table of told columns, of one captured table. */
  public String toldNumbers(CaptureRule rule) {
    return schemas.table(functionName(rule) + "_told");
  }

  /** All functions that a capture has of its own, with their parameters. */
  public List<String> functions(CaptureRule rule) {
    String ofTriggers = function(rule) + "()";
    return rule.isOfDocuments()
        ? List.of(ofTriggers, entityFunction(rule) + "(json, text)")
        : List.of(ofTriggers);
  }

  /** The function that evaluates what says whose documents the rows of a table belong to. */
  public String entityFunction(CaptureRule rule) {
    return schemas.table(QueryFunction.OF_ENTITIES + rule.recorder() + "_" + hash(rule));
  }

  /**
   * The name of a trigger, the same on each table.
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
