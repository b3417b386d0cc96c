package dev.recorder.testing.servers;

import dev.recorder.testing.AtExit;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.network.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Ceph's RADOS Gateway from installed packages, with a monitor and one storage daemon of its own
 * that keeps everything in memory. Of another make than {@link S3Server}: what passes on both rests
 * on less of either.
 *
 * <p>Nothing of it stays behind: {@link #close} kills the processes and removes the files, a JVM
 * that ends without closing does it in a shutdown hook, and one that is killed leaves it to the
 * next, which finds the processes by the folder in their arguments. Thread-safe.
 */
public final class RadosGateway implements BucketServer {
  private static final List<String> PROGRAMS =
      List.of(
          "radosgw",
          "radosgw-admin",
          "ceph",
          "ceph-mon",
          "ceph-osd",
          "ceph-authtool",
          "monmaptool");
  private static final int ATTEMPTS = 5;

  private final TestFolder folder;
  private final Programs programs;
  private final int port;
  private final String conf;
  private final S3Client client;

  private RadosGateway() {
    folder = TestFolder.create("radosgw");
    programs = new Programs(folder.path());
    conf = folder.path().resolve("ceph.conf").toString();
    port = Ports.free();
    client =
        S3Client.builder()
            .endpointOverride(endpoint())
            // Of this region alone a bucket is created without saying where.
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .httpClientBuilder(Apache5HttpClient.builder())
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(S3Server.ACCESS_KEY, S3Server.SECRET_KEY)))
            .build();
    AtExit.register(this);
  }

  /** Why there can be none on this host, and what to do; empty if there can. */
  public static String missing() {
    List<String> missing = Programs.missing(PROGRAMS);
    return missing.isEmpty()
        ? ""
        : "not installed: "
            + String.join(", ", missing)
            + " (Debian: apt-get install --no-install-recommends radosgw ceph-mon ceph-osd)";
  }

  /**
   * A server of its own.
   *
   * @throws IllegalStateException if it does not start, or its programs are {@link #missing}
   */
  public static RadosGateway start() {
    if (!missing().isEmpty()) {
      throw new IllegalStateException(missing());
    }
    RadosGateway gateway = new RadosGateway();
    try {
      gateway.launch();
      return gateway;
    } catch (IOException | RuntimeException failed) {
      gateway.closeQuietly(failed);
      throw new IllegalStateException("radosgw did not start", failed);
    }
  }

  private void launch() throws IOException {
    String cluster = UUID.randomUUID().toString();
    String storage = UUID.randomUUID().toString();
    Files.writeString(Path.of(conf), configuration(cluster));
    for (String each : List.of("mon", "osd", "rgw")) {
      Files.createDirectory(folder.path().resolve(each));
    }
    String keyring = file("keyring");
    String map = file("monmap");
    programs.run(
        "ceph-authtool", "-C", keyring, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *");
    String monitor = "[v1:127.0.0.1:" + Ports.free() + "]";
    programs.run("monmaptool", "--create", "--fsid", cluster, "--addv", "a", monitor, map);
    programs.run("ceph-mon", "-c", conf, "--mkfs", "-i", "a", "--monmap", map, "-k", keyring);
    programs.start("ceph-mon", "-c", conf, "-f", "-i", "a");
    ask("osd", "new", storage);
    ask("osd", "crush", "add", "osd.0", "1", "root=default", "host=here");
    programs.run("ceph-osd", "-c", conf, "--mkfs", "-i", "0", "--osd-uuid", storage);
    programs.start("ceph-osd", "-c", conf, "-f", "-i", "0");
    Process gateway = programs.start("radosgw", "-c", conf, "-f", "-n", "client.rgw");
    programs.run(
        "radosgw-admin",
        "-c",
        conf,
        "user",
        "create",
        "--uid=tests",
        "--display-name=tests",
        "--access-key=" + S3Server.ACCESS_KEY,
        "--secret=" + S3Server.SECRET_KEY);
    Ports.awaitListener(port, gateway, () -> programs.output("radosgw"));
  }

  /**
   * Has the monitor do something that may be done twice. It refuses a client that asks before it
   * has learned the cluster's id ("wrong fsid"), which is a matter of milliseconds.
   */
  private void ask(String... words) {
    List<String> command = new ArrayList<>(List.of("ceph", "-c", conf));
    command.addAll(List.of(words));
    for (int attempt = 1; ; attempt++) {
      try {
        programs.run(command.toArray(String[]::new));
        return;
      } catch (IllegalStateException refused) {
        if (attempt == ATTEMPTS) {
          throw refused;
        }
      }
    }
  }

  /**
   * One copy of everything, in memory, nothing asked of anybody.
   *
   * <p>The storage daemon is put on the map by us: refused like that when it does so itself, it
   * ends.
   */
  private String configuration(String cluster) {
    return """
        [global]
        fsid = %s
        monmap = %s
        ms bind msgr2 = false
        public addr = 127.0.0.1
        auth cluster required = none
        auth service required = none
        auth client required = none
        osd pool default size = 1
        osd pool default pg num = 8
        osd pool default pg autoscale mode = off
        osd crush chooseleaf type = 0
        osd crush update on start = false
        osd class update on start = false
        osd objectstore = memstore
        mon allow pool size one = true
        mon max pg per osd = 1000
        paxos propose interval = 0.05
        run dir = %s
        admin socket = %s
        log file = %s
        mon cluster log file = %s
        mon data = %s
        osd data = %s
        rgw data = %s
        keyring = %s
        rgw frontends = beast endpoint=127.0.0.1:%d
        """
        .formatted(
            cluster,
            file("monmap"),
            file(""),
            file("$name.asok"),
            file("$name.log"),
            file("cluster.log"),
            file("mon"),
            file("osd"),
            file("rgw"),
            file("keyring"),
            port);
  }

  private String file(String name) {
    return folder.path().resolve(name).toString();
  }

  @Override
  public int port() {
    return port;
  }

  /** It refuses the checksums that the SDK appends to bodies. */
  @Override
  public String settings() {
    return "checksums = when_required";
  }

  /** The processes that run. */
  public List<Long> pids() {
    return programs.pids();
  }

  @Override
  public void createBucket(String bucket) {
    client.createBucket(create -> create.bucket(bucket));
  }

  @Override
  public List<String> keys(String bucket, String prefix) {
    return client
        .listObjectsV2Paginator(list -> list.bucket(bucket).prefix(prefix))
        .contents()
        .stream()
        .map(S3Object::key)
        .toList();
  }

  @Override
  public NavigableMap<String, byte[]> objects(String bucket, String prefix) {
    NavigableMap<String, byte[]> bodies = new TreeMap<>();
    keys(bucket, prefix).forEach(key -> bodies.put(key, read(bucket, key)));
    return bodies;
  }

  @Override
  public byte[] read(String bucket, String key) {
    return client.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asByteArray();
  }

  @Override
  public Map<String, String> metadata(String bucket, String key) {
    return client.headObject(head -> head.bucket(bucket).key(key)).metadata();
  }

  @Override
  public void close() throws IOException {
    AtExit.forget(this);
    client.close();
    programs.close();
    folder.close();
  }

  private void closeQuietly(Exception failed) {
    try {
      close();
    } catch (IOException | UncheckedIOException also) {
      failed.addSuppressed(also);
    }
  }

  @Override
  public String toString() {
    return "radosgw on port " + port;
  }
}
