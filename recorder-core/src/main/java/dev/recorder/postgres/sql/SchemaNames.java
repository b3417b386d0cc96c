package dev.recorder.postgres.sql;

import dev.recorder.handoff.RecorderName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The schemas' names, and what follows from them: qualified table names and the namespace of
 * advisory locks. Names are checked here, because they are the only text that SQL is built from.
 */
public record SchemaNames(String control, String handoff) {
  private static final Pattern FORM = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  /** Prefix of the channels on which settled slots are notified. */
  public static final String RECORDED = "recorded_";

  /** The names without configuration; behind the form that checks them. */
  public static final SchemaNames DEFAULT = new SchemaNames("recorder", "handoff");

  public SchemaNames {
    for (String name : List.of(control, handoff)) {
      String fault = fault(name);
      if (!fault.isEmpty()) {
        throw new IllegalArgumentException("schema name '" + name + "' " + fault);
      }
    }
  }

  /** First key of all advisory locks: the first 32 bits of the MD5 of the control schema's name. */
  public int lockNamespace() {
    return ByteBuffer.wrap(digest("MD5", control)).getInt();
  }

  /** First key of the locks by which those who wait for a log's next slot are seen. */
  public int waitersNamespace() {
    return ByteBuffer.wrap(digest("MD5", "recorded/" + control)).getInt();
  }

  /** Key, in the other (bigint) key space, of the lock that a running machine holds on its name. */
  public long machineLockKey(String machine) {
    return ByteBuffer.wrap(digest("SHA-256", "machine/" + control + "/" + machine)).getLong();
  }

  /**
   * The same whatever the schemas are: sessions of all of them are identified by machines' names.
   */
  public static long machineKeyOfDatabase(String machine) {
    return ByteBuffer.wrap(digest("SHA-256", "machine-of-any-schema/" + machine)).getLong();
  }

  /** Second argument of the hash, in the bigint key space, that locks an entity of a recorder. */
  public long entityLockSeed(int lockId) {
    return ByteBuffer.wrap(digest("SHA-256", "entities/" + control + "/" + lockId)).getLong();
  }

  /** Channel on which settled slots are notified while somebody waits for one. */
  public static String recordedChannel(RecorderName recorder) {
    return RECORDED + recorder;
  }

  /** Qualified name of a table of ours. */
  public String table(String name) {
    return control + "." + name;
  }

  /** Qualified name of a recorder's hand-off table. */
  public String handoffTable(RecorderName recorder) {
    return handoffObject(recorder.value());
  }

  /** Qualified name of what is beside the hand-off tables, such as an index of one. */
  public String handoffObject(String name) {
    return handoff + "." + name;
  }

  /** Qualified name of the sequence that numbers the captured changes of a log. */
  public String captureSequence(RecorderName recorder) {
    return table("capture_" + recorder + "_seq");
  }

  /** Qualified name of one of the tables that a log's hand-off table is made of. */
  public String handoffLeaf(RecorderName recorder, int leaf) {
    return table(leaf(recorder, leaf));
  }

  /** Its name within the control schema. */
  public static String leaf(RecorderName recorder, int leaf) {
    return "handoff_" + recorder + "_" + leaf;
  }

  /** What is wrong with a schema's name, to stand behind it; empty if nothing is. */
  public static String fault(String name) {
    if (!FORM.matcher(name).matches()) {
      return "is not a schema name";
    }
    if (name.startsWith("pg_") || name.equals("information_schema")) {
      return "belongs to PostgreSQL itself";
    }
    return ReservedWords.has(name) ? "is a reserved word of SQL" : "";
  }

  private static byte[] digest(String algorithm, String text) {
    try {
      return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
