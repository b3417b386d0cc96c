package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotReader;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Machines of one JVM that share the recorder {@code orders}, on a real database of their own. */
public final class OrdersMachines implements AutoCloseable {
  public static final LogLayout LAYOUT =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.GZIP);

  final MemoryStore bucket = new MemoryStore();
  final TestDatabase database;
  private final List<RunningMachine> running = new ArrayList<>();

  OrdersMachines() throws SQLException {
    database = TestDatabase.createOwned();
  }

  @Override
  public void close() throws Exception {
    for (RunningMachine each : running) {
      each.stop();
    }
    database.close();
  }

  RunningMachine start(String name, boolean primary) {
    return start(name, primary, null);
  }

  /** With a recorder that ticks by itself. */
  RunningMachine start(String name, boolean primary, @Nullable Duration tickEvery) {
    return start(new Machine(settings(name, primary, tickEvery), recorder -> bucket));
  }

  /** One whose store is another. */
  Machine start(MachineSettings settings, DocumentStore store) {
    Machine machine = new Machine(settings, recorder -> store);
    start(machine);
    return machine;
  }

  RunningMachine start(Machine machine) {
    RunningMachine started = new RunningMachine(machine);
    running.add(started);
    return started;
  }

  MachineSettings settings(String name, boolean primary, @Nullable Duration tickEvery) {
    return MachineSettings.of(name, TestSettings.patient(database))
        .version("test")
        .hashes("hash", Map.of("timing", "hash"))
        .timing(TestSettings.PATIENT)
        .log(
            RecorderSettings.of(1, LAYOUT)
                .primary(primary)
                .rotation(new Rotation(1_000, 1 << 20))
                .linger(Duration.ofMillis(200))
                .tickEvery(tickEvery)
                .build())
        .build();
  }

  void awaitHolder(String machine) {
    await()
        .ignoreExceptions()
        .until(
            () ->
                machine.equals(query("SELECT holder FROM recorder.lock_recorders"))
                    && query("SELECT count(*) FROM handoff.orders") != null);
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  void insert(int first, int count) throws SQLException {
    try (Connection connection = database.connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO handoff.orders (key, payload) VALUES (?, ?::json)")) {
      for (int i = first; i < first + count; i++) {
        statement.setString(1, "k" + i);
        statement.setString(2, "{\"n\": " + i + "}");
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** An object that a server would have written that has taken over from this one. */
  void putOfTheNextTimeline(long slot) throws Exception {
    byte[] line =
        new LineEncoder().encode(new HandoffRow(1 << 20, 9_000_000_000L, 0, null, "{\"n\": 0}"));
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(line));
    DatabaseIdentity here =
        DatabaseIdentity.parse(query("SELECT database FROM recorder.lock_recorders")).orElseThrow();
    DatabaseIdentity next =
        new DatabaseIdentity(here.name(), here.system(), here.oid(), here.timeline() + 1);
    UUID log = UUID.fromString(query("SELECT log_uuid FROM recorder.lock_recorders"));
    ObjectMetadata metadata =
        new ObjectMetadata(
            "orders",
            log,
            slot,
            1,
            "host-x",
            1,
            sha256,
            Origins.CHAIN,
            next,
            null,
            Origins.READ_AT);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream packing = new GZIPOutputStream(packed)) {
      packing.write(line);
    }
    bucket.putIfAbsent(LAYOUT.slotKey(slot), packed.toByteArray(), metadata.asMap());
  }

  List<Long> recorded() throws Exception {
    List<Long> ids = new ArrayList<>();
    SlotReader reader = new SlotReader(bucket, LAYOUT);
    for (long slot = 1; ; slot++) {
      Optional<SlotReader.Slot> read = reader.read(slot);
      if (read.isEmpty()) {
        return ids;
      }
      read.get().lines().forEach(line -> ids.add(line.id()));
    }
  }

  String query(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
