package dev.recorder.postgres.sql;

import dev.recorder.handoff.RecorderName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The schemas' names, and the qualified names of tables and the keys of advisory locks that are
 * derived from them. Names are checked here, because they are the only text that SQL is built from.
 */
public record SchemaNames(String control, String handoff) {
  private static final Pattern FORM = Pattern.compile("[a-z_][a-z0-9_]{0,62}");

  /**
   * Words that cannot be a schema's name without quotes in any version from 14 to 18: those of
   * {@code pg_get_keywords()} with {@code catcode} R or T; {@code system_user} came with version
   * 16. In {@code user.slots} the server sees its function {@code user}. After a dot every word is
   * a name.
   */
  private static final Set<String> RESERVED =
      Set.of(
          """
          all analyse analyze and any array as asc asymmetric authorization binary both case cast
          check collate collation column concurrently constraint create cross current_catalog
          current_date current_role current_schema current_time current_timestamp current_user
          default deferrable desc distinct do else end except false fetch for foreign freeze from
          full grant group having ilike in initially inner intersect into is isnull join lateral
          leading left like limit localtime localtimestamp natural not notnull null offset on only
          or order outer overlaps placing primary references returning right select session_user
          similar some symmetric system_user table tablesample then to trailing true union unique
          user using variadic verbose when where window with"""
              .split("\\s+"));

  /** Prefix of the channels on which settled slots are notified. */
  public static final String RECORDED = "recorded_";

  /** The default names; declared after the fields that check them. */
  public static final SchemaNames DEFAULT = new SchemaNames("recorder", "handoff");

  public SchemaNames {
    for (String name : List.of(control, handoff)) {
      String fault = fault(name);
      if (!fault.isEmpty()) {
        throw new IllegalArgumentException("schema name '" + name + "' " + fault);
      }
    }
  }

  /**
   * Returns the first key of all advisory locks: the first 32 bits of the MD5 of the control
   * schema's name.
   */
  public int lockNamespace() {
    return ByteBuffer.wrap(digest("MD5", control)).getInt();
  }

  /**
   * Returns the first key of the locks that sessions hold while they wait for a log's next slot.
   */
  public int waitersNamespace() {
    return ByteBuffer.wrap(digest("MD5", "recorded/" + control)).getInt();
  }

  /**
   * Returns the key, in the bigint key space, of the lock that a running host holds on its name.
   */
  public long machineLockKey(String machine) {
    return ByteBuffer.wrap(digest("SHA-256", "machine/" + control + "/" + machine)).getLong();
  }

  /**
   * Returns the key of the host's lock that all schemas share, since hosts' names identify sessions
   * across schemas.
   */
  public static long machineKeyOfDatabase(String machine) {
    return ByteBuffer.wrap(digest("SHA-256", "machine-of-any-schema/" + machine)).getLong();
  }

  /** Returns the seed of the hash, in the bigint key space, that locks an entity of a recorder. */
  public long entityLockSeed(int lockId) {
    return ByteBuffer.wrap(digest("SHA-256", "entities/" + control + "/" + lockId)).getLong();
  }

  /** Returns the channel on which settled slots are notified while a session waits for one. */
  public static String recordedChannel(RecorderName recorder) {
    return RECORDED + recorder;
  }

  /** Returns the qualified name of a table in the control schema. */
  public String table(String name) {
    return control + "." + name;
  }

  /** Returns the qualified name of a recorder's hand-off table. */
  public String handoffTable(RecorderName recorder) {
    return handoffObject(recorder.value());
  }

  /** Returns the qualified name of an object in the hand-off schema, such as an index. */
  public String handoffObject(String name) {
    return handoff + "." + name;
  }

  /** Returns the qualified name of the sequence that numbers a log's captured changes. */
  public String captureSequence(RecorderName recorder) {
    return table("capture_" + recorder + "_seq");
  }

  /** Returns the qualified name of a partition of a log's hand-off table. */
  public String handoffLeaf(RecorderName recorder, int leaf) {
    return table(leaf(recorder, leaf));
  }

  /** Returns the unqualified name of a partition. */
  public static String leaf(RecorderName recorder, int leaf) {
    return "handoff_" + recorder + "_" + leaf;
  }

  /** Returns why a name cannot be a schema's, as the end of a message; empty if it can. */
  public static String fault(String name) {
    if (!FORM.matcher(name).matches()) {
      return "is not a schema name";
    }
    if (name.startsWith("pg_") || name.equals("information_schema")) {
      return "belongs to PostgreSQL itself";
    }
    return RESERVED.contains(name) ? "is a reserved word of SQL" : "";
  }

  /** Returns the hash of a text's UTF-8 form, for names and keys. */
  public static byte[] digest(String algorithm, String text) {
    try {
      return MessageDigest.getInstance(algorithm).digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
