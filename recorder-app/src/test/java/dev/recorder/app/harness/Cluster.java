package dev.recorder.app.harness;

import dev.recorder.app.cli.Run;
import dev.recorder.testing.AtExit;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.network.PostgresProxy;
import dev.recorder.testing.servers.BucketServer;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Hosts with one recorder, and what they share: a database and a bucket of their own on servers
 * that may be shared with others.
 *
 * <p>Whatever happens nothing stays behind: {@link #close} kills the hosts and removes the files,
 * and a JVM that is ended by a signal does it in its shutdown hook.
 */
public final class Cluster implements AutoCloseable {
  public static final String RECORDER = "orders";
  public static final int LOCK_ID = 1;
  public static final String PREFIX = "recorded";

  private final Map<String, Long> rowsOfSlots = new ConcurrentHashMap<>();
  private final BucketServer s3;
  private final String bucket;
  private TestDatabase database;
  private final int databasePort;
  private final Wiring wiring;
  private final Optional<HttpTap> tap;
  private final TestFolder folder;
  private final Ini ini;
  private final List<Host> hosts = new CopyOnWriteArrayList<>();
  private final Map<Host, Consumer<Set<String>>> files = new ConcurrentHashMap<>();
  private boolean closed;

  /** How hosts reach the servers. */
  public enum Wiring {
    DIRECT,
    /** To the database directly, to S3 by one tap for all. */
    S3_BY_TAP,
    /** To the database by a proxy of each host's own, to S3 by one tap for all. */
    BY_PROXIES
  }

  /**
   * What hosts record.
   *
   * @param recorders logs by name; the first has the lock {@link #LOCK_ID}, the next the one after
   *     it
   * @param requests sections of recorders of requests, as they stand in the file
   * @param compression of the logs' objects
   * @param more lines of a log's section, by name
   */
  public record Recording(
      List<String> recorders,
      String linger,
      String requests,
      String compression,
      Map<String, String> more) {

    public Recording(List<String> recorders, String linger, String requests, String compression) {
      this(recorders, linger, requests, compression, Map.of());
    }

    public Recording(List<String> recorders, String linger, String requests) {
      this(recorders, linger, requests, System.getenv().getOrDefault("COMPRESSION", "gzip"));
    }

    public Recording(List<String> recorders, String linger) {
      this(recorders, linger, "");
    }

    /** Requests only. */
    public static Recording ofRequests(String sections) {
      return new Recording(List.of(), "1s", sections);
    }

    /** The same with more lines in a log's section. */
    public Recording with(String recorder, String... lines) {
      Map<String, String> all = new HashMap<>(more);
      all.put(recorder, String.join("\n", lines));
      return new Recording(recorders, linger, requests, compression, all);
    }

    int lockId(String recorder) {
      return LOCK_ID + recorders.indexOf(recorder);
    }
  }

  private Cluster(
      PostgresServer postgres,
      int databasePort,
      BucketServer s3,
      Wiring wiring,
      Recording recording)
      throws SQLException {
    this.s3 = s3;
    this.databasePort = databasePort;
    this.wiring = wiring;
    this.folder = TestFolder.create("hosts");
    this.database = TestDatabase.createOn(postgres, TestDatabase.ROLE);
    Receipts.createIn(database);
    this.bucket = database.name().replace('_', '-');
    s3.createBucket(bucket);
    this.tap = wiring == Wiring.DIRECT ? Optional.empty() : Optional.of(HttpTap.to(s3.port()));
    // One address for all hosts: it is pinned with the log.
    this.ini =
        new Ini(
            database,
            new Ini.Store(tap.map(HttpTap::endpoint).orElse(s3.endpoint()), bucket, s3.settings()),
            recording);
  }

  /** A cluster without hosts. */
  public static Cluster on(PostgresServer postgres, BucketServer s3, Wiring wiring, String linger)
      throws SQLException {
    return on(postgres, postgres.port(), s3, wiring, linger);
  }

  /** The same with other recorders. */
  public static Cluster on(
      PostgresServer postgres, BucketServer s3, Wiring wiring, Recording recording)
      throws SQLException {
    return on(postgres, postgres.port(), s3, wiring, recording);
  }

  /** The same with an address of the database at which other servers may come to answer. */
  public static Cluster on(
      PostgresServer postgres, int databasePort, BucketServer s3, Wiring wiring, String linger)
      throws SQLException {
    return on(postgres, databasePort, s3, wiring, new Recording(List.of(RECORDER), linger));
  }

  /** The same with other recorders. */
  public static Cluster on(
      PostgresServer postgres,
      int databasePort,
      BucketServer s3,
      Wiring wiring,
      Recording recording)
      throws SQLException {
    Cluster cluster = new Cluster(postgres, databasePort, s3, wiring, recording);
    AtExit.register(cluster);
    return cluster;
  }

  /** A host that is yet to be started. */
  public Host host(String name, boolean primary) {
    return host(name, primary, Particulars.NONE);
  }

  /** A host that is yet to be started and differs from others. */
  public Host host(String name, boolean primary, Particulars particulars) {
    return host(name, primary ? Set.of(RECORDER) : Set.of(), particulars);
  }

  /** A host that is yet to be started, and the primary of some recorders. */
  public Host host(String name, Set<String> primaryFor, Particulars particulars) {
    return add(name, name, primaryFor, particulars);
  }

  /**
   * Changes of what recorders a host's file says that it is the primary; {@link Host#hangUp} it.
   */
  public void prefer(Host host, Set<String> primaryFor) {
    files.get(host).accept(primaryFor);
  }

  /** Another host that was given the same machine name by mistake. */
  public Host namesake(Host host) {
    return add(host.name() + "-again", host.name(), Set.of(), Particulars.NONE);
  }

  private synchronized Host add(
      String file, String machine, Set<String> primaryFor, Particulars particulars) {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    Optional<PostgresProxy> proxy =
        wiring == Wiring.BY_PROXIES
            ? Optional.of(PostgresProxy.to(databasePort))
            : Optional.empty();
    int port = proxy.map(PostgresProxy::port).orElse(databasePort);
    Path written = ini.write(folder.path(), file, machine, primaryFor, port, particulars);
    Host host = new Host(machine, written, folder.path(), particulars, proxy);
    hosts.add(host);
    files.put(
        host, preferred -> ini.write(folder.path(), file, machine, preferred, port, particulars));
    return host;
  }

  /** A file that goes with the cluster. */
  public Path file(String name) {
    return folder.path().resolve(name);
  }

  /**
   * Runs a command of the product with the first host's configuration, in this process: to start a
   * JVM takes longer than most commands.
   */
  public Product.Outcome run(String... arguments) {
    return runOn(hosts.get(0), arguments);
  }

  /** The same with another host's configuration. */
  public Product.Outcome runOn(Host host, String... arguments) {
    S3Server.knowInThisProcess();
    Run run = Run.command(host.ini(), arguments);
    System.err.print(run.err());
    return new Product.Outcome(run.exitCode(), run.out());
  }

  /**
   * Runs a command that is to tell whether a story ended well, in this process: as {@link #run},
   * but with none of the time limits that the story gave its hosts, and not by their ways to the
   * database.
   */
  public Product.Outcome judge(String... arguments) {
    S3Server.knowInThisProcess();
    Run run = Run.command(judging(), arguments);
    System.err.print(run.err());
    return new Product.Outcome(run.exitCode(), run.out());
  }

  /** The same in a JVM like the first host's. */
  public Product.Outcome spawnJudge(String... arguments) throws InterruptedException {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("-c", judging().toString()));
    return Product.run(folder.path(), hosts.get(0).jvm(), line);
  }

  private synchronized Path judging() {
    Host first = hosts.get(0);
    return ini.write(
        folder.path(),
        "judging",
        first.name(),
        Set.of(),
        databasePort,
        first.particulars().unhurried());
  }

  /** A command of the product, to be started in a JVM like the first host's. */
  public ProcessBuilder command(String... arguments) {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("-c", hosts.get(0).ini().toString()));
    return Product.command(folder.path(), line);
  }

  /** Runs a command of the product in a JVM like the first host's, to its end. */
  public Product.Outcome spawn(String... arguments) throws InterruptedException {
    return spawn(hosts.get(0).jvm(), arguments);
  }

  /** The same, with other options of the JVM than the first host has. */
  public Product.Outcome spawn(List<String> jvm, String... arguments) throws InterruptedException {
    List<String> line = new ArrayList<>(List.of(arguments));
    line.addAll(List.of("-c", hosts.get(0).ini().toString()));
    return Product.run(folder.path(), jvm, line);
  }

  public List<Host> hosts() {
    return List.copyOf(hosts);
  }

  public synchronized TestDatabase database() {
    return database;
  }

  /** The hosts have another database now, on another server, under the same name and address. */
  public synchronized void hasMovedTo(TestDatabase other) {
    database = other;
  }

  /** Every host's way to S3; requests name their writer. */
  public HttpTap tap() {
    return tap.orElseThrow();
  }

  /** PUTs of slots that {@code writer} began in {@code epoch} or before. */
  public Stream<HttpTap.Request> slotPuts(Host writer, long epoch) {
    return tap().requests().stream()
        .filter(request -> isSlotPut(request, writer))
        .filter(request -> request.epoch().orElse(0L) <= epoch);
  }

  /** Whether {@code request} is a PUT of a slot by {@code writer}. */
  public static boolean isSlotPut(HttpTap.Request request, Host writer) {
    return request.method().equals("PUT")
        && Bucket.isSlot(request.path())
        && request.writer().filter(writer.name()::equals).isPresent();
  }

  /** The bucket's name, for others who write to it. */
  public String bucketName() {
    return bucket;
  }

  /** The bucket, read past the product and past the tap. */
  public Bucket bucket() {
    return bucket(RECORDER);
  }

  /** The same for one of several recorders. */
  public Bucket bucket(String recorder) {
    return new Bucket(s3, bucket, recorder, ini.recording().compression());
  }

  /** Documents of a recorder of requests by entity, read past the product and past the tap. */
  public Map<String, byte[]> documents(String recorder) {
    String folder = PREFIX + "/" + recorder + "/";
    Map<String, byte[]> documents = new TreeMap<>();
    s3.objects(bucket, folder)
        .forEach(
            (key, body) -> {
              if (!key.startsWith(folder + "_")) {
                documents.put(key.substring(folder.length()).replace(".json", ""), body);
              }
            });
    return documents;
  }

  @Override
  public synchronized void close() throws SQLException, IOException {
    if (closed) {
      return;
    }
    closed = true;
    hosts.forEach(Host::close);
    tap.ifPresent(HttpTap::close);
    database.close();
    folder.close();
    AtExit.forget(this);
  }

  /** What the notes say of rows; of a slot that was planned twice, or has none, but that it is. */
  private static final String RECORDED =
      """
      WITH settled AS (
        SELECT recorder, first_slot, slot, count(*) AS plans, min(row_count) AS row_count
        FROM recorder.slots JOIN recorder.lock_recorders USING (lock_id)
        WHERE slot <= last_slot
        GROUP BY recorder, first_slot, slot)
      SELECT NULL, NULL, coalesce(sum(row_count), 0) FROM settled WHERE plans = 1
      UNION ALL SELECT recorder, slot, 0 FROM settled WHERE plans > 1
      UNION ALL SELECT recorder, deleted, 0
      FROM (SELECT recorder, first_slot, min(slot) AS kept FROM settled GROUP BY 1, 2) k,
        generate_series(first_slot, kept - 1) deleted
      """;

  /**
   * Rows in settled slots. Who dies between the plan of a slot and its object leaves the plan
   * behind: which of several came about only the object tells.
   */
  public long recordedRows() throws SQLException {
    return database()
        .query(
            RECORDED,
            row -> {
              String recorder = row.getString(1);
              return recorder == null ? row.getLong(3) : rowsOf(recorder, row.getLong(2));
            })
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /** They stay what they are. */
  private long rowsOf(String recorder, long slot) {
    return rowsOfSlots.computeIfAbsent(
        recorder + "/" + slot, unknown -> (long) bucket(recorder).slot(slot).rows().size());
  }

  /** Waits until so many rows are recorded. */
  public void awaitRecorded(long rows, Duration limit) throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (long recorded = recordedRows(); recorded < rows; recorded = recordedRows()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            recorded + " of " + rows + " rows are recorded after " + limit.toSeconds() + " s");
      }
      Thread.sleep(100);
    }
  }

  @Override
  public String toString() {
    return "the hosts in " + folder;
  }
}
