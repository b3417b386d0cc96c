package dev.recorder.app.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import dev.recorder.testing.servers.BucketServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** The objects of a recorder's log, read with nothing of the product. */
public final class Bucket implements RecordedSlots {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Strict: a PUT in progress is an object with a longer name on this server. */
  private static final Pattern SLOT = Pattern.compile("(\\d{20})\\.ndjson\\.(gz|zst)");

  private final BucketServer s3;
  private final String name;
  private final String folder;
  private final String ending;

  Bucket(BucketServer s3, String name, String recorder, String compression) {
    this.s3 = s3;
    this.name = name;
    this.ending = compression.equals("zstd") ? "zst" : "gz";
    this.folder = Cluster.PREFIX + "/" + recorder + "/";
  }

  /** One object: which slot it is, who wrote it in which term, and its rows. */
  public record Slot(long number, long epoch, String writer, List<Row> rows) {}

  /** One line. */
  public record Row(String key, String payloadKey) {}

  /** Every slot, in order. */
  public List<Slot> slots() {
    return numbers().stream().map(this::slot).toList();
  }

  @Override
  public List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    for (String object : s3.keys(name, folder)) {
      Matcher file = SLOT.matcher(object.substring(folder.length()));
      if (file.matches()) {
        numbers.add(Long.parseLong(file.group(1)));
      }
    }
    return numbers;
  }

  @Override
  public Slot slot(long number) {
    String object = key(number);
    Map<String, String> metadata = s3.metadata(name, object);
    return new Slot(
        number,
        Long.parseLong(metadata.getOrDefault("epoch", "-1")),
        metadata.getOrDefault("writer", "?"),
        rows(lines(number)));
  }

  private String key(long number) {
    return folder + String.format(Locale.ROOT, "%020d.ndjson.", number) + ending;
  }

  /** Whether this is a slot's path. */
  static boolean isSlot(String path) {
    return SLOT.matcher(path.substring(path.lastIndexOf('/') + 1)).matches();
  }

  /** A slot's object as it lies there. */
  public byte[] packed(long number) {
    return s3.read(name, key(number));
  }

  /** A slot's content, unpacked. */
  public byte[] lines(long number) {
    try (InputStream lines = unpacking(packed(number))) {
      return lines.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private InputStream unpacking(byte[] packed) throws IOException {
    InputStream source = new ByteArrayInputStream(packed);
    return ending.equals("zst")
        ? new ZstdInputStreamNoFinalizer(source)
        : new GZIPInputStream(source);
  }

  /** Every object of the log's table, by its path below the table's folder. */
  public NavigableMap<String, byte[]> table() {
    return tableAt(".delta/");
  }

  /** Every object of the table with the changes of a captured table. */
  public NavigableMap<String, byte[]> changes(String table) {
    return tableAt(".tables/" + table + ".delta/");
  }

  private NavigableMap<String, byte[]> tableAt(String end) {
    String root = folder.substring(0, folder.length() - 1) + end;
    NavigableMap<String, byte[]> objects = new TreeMap<>();
    s3.objects(name, root)
        .forEach((object, body) -> objects.put(object.substring(root.length()), body));
    return objects;
  }

  /** Every slot's bytes, as hexadecimal digits of their SHA-256. */
  public Map<String, String> hashes() {
    Map<String, String> hashes = new TreeMap<>();
    s3.objects(name, folder)
        .forEach(
            (key, body) -> {
              if (SLOT.matcher(key.substring(folder.length())).matches()) {
                hashes.put(key, sha256(body));
              }
            });
    if (hashes.isEmpty()) {
      throw new IllegalStateException("there is no slot to compare with later");
    }
    return hashes;
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Number of rows in all slots. */
  public long rows() {
    return slots().stream().mapToLong(slot -> slot.rows().size()).sum();
  }

  private static List<Row> rows(byte[] content) {
    List<Row> rows = new ArrayList<>();
    new String(content, StandardCharsets.UTF_8).lines().forEach(line -> rows.add(row(line)));
    return rows;
  }

  private static Row row(String line) {
    try {
      JsonNode row = JSON.readTree(line);
      return new Row(row.path("key").asText(), row.path("payload").path("order").asText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
