package dev.recorder.app.config;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.leadership.postgres.SectionHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings in effect as lines: for the log, and for a hash to compare machines by. */
final class EffectiveConfig {
  private static final int HASH_CHARACTERS = 16;

  /** Only to name a key of a section that differs: a chance hit leaves one out. */
  private static final int KEY_HASH_CHARACTERS = 4;

  /** What rightly differs between machines, and what must not be guessable from a hash. */
  private static final Set<Setting<?>> NOT_SHARED =
      Set.of(
          MachineConfig.NAME,
          MachineConfig.TASK_TIMEOUTS,
          MachineConfig.WAITING_LIMIT,
          MachineConfig.HOSTS,
          Leading.PRIMARY,
          DatabaseConfig.PASSWORD,
          RedisConfig.PASSWORD,
          HttpConfig.LISTEN,
          HttpConfig.TOKEN_FILE,
          MetricsConfig.EMF,
          MetricsConfig.EMF_RECORDERS,
          LogConfig.FORMAT,
          LogConfig.LEVEL,
          RecorderSection.LOG_LEVEL);

  private final List<Line> lines = new ArrayList<>();

  private EffectiveConfig() {}

  private record Line(String section, Setting<?> setting, String value) {
    boolean isDefault() {
      Object byDefault = setting.byDefault();
      return byDefault != null && Setting.write(byDefault).equals(value);
    }

    @Override
    public String toString() {
      return setting.key() + " = " + IniValue.format(value);
    }
  }

  static EffectiveConfig of(RecorderConfig config) {
    EffectiveConfig effective = new EffectiveConfig();
    effective.add(MachineConfig.SECTION, MachineConfig.NAME, config.machine().name());
    effective.add(
        MachineConfig.SECTION, MachineConfig.TASK_TIMEOUTS, config.machine().taskTimeouts());
    effective.add(
        MachineConfig.SECTION, MachineConfig.WAITING_LIMIT, config.machine().waitingLimit());
    effective.add(MachineConfig.SECTION, MachineConfig.HOSTS, config.machine().hosts());
    effective.database(config.database());
    effective.timing(config.timing());
    if (config.redis() != null) {
      effective.redis(config.redis());
    }
    if (config.http() != null) {
      effective.http(config.http());
    }
    effective.metrics(config.metrics());
    effective.add(LogConfig.SECTION, LogConfig.FORMAT, config.log().format());
    effective.add(LogConfig.SECTION, LogConfig.LEVEL, config.log().level());
    config.recorders().forEach(effective::recorder);
    config.recorders().forEach(effective::captures);
    return effective;
  }

  /** Of all that machines share. */
  String sharedHash() {
    return hash(shared());
  }

  /** The same, of each section by itself, with a short one of each key that is set. */
  Map<String, String> sectionHashes() {
    return shared()
        .collect(
            Collectors.groupingBy(
                Line::section,
                TreeMap::new,
                Collectors.collectingAndThen(
                    Collectors.toList(), section -> sectionHash(section).toString())));
  }

  private static SectionHash sectionHash(List<Line> section) {
    SortedMap<String, String> keys = new TreeMap<>();
    section.stream()
        .filter(line -> !line.isDefault())
        .forEach(
            line ->
                keys.put(
                    line.setting().key(), hash(Stream.of(line)).substring(0, KEY_HASH_CHARACTERS)));
    return new SectionHash(hash(section.stream()), keys);
  }

  /** Each setting's value, by {@code [section] key}. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    lines.forEach(
        line -> values.put("[" + line.section() + "] " + line.setting().key(), line.value()));
    return values;
  }

  private Stream<Line> shared() {
    return lines.stream().filter(line -> !NOT_SHARED.contains(line.setting()));
  }

  /** Sorted, since the order of sections in the file means nothing. */
  private static String hash(Stream<Line> hashed) {
    String shared =
        hashed
            .map(line -> "[" + line.section() + "] " + line + "\n")
            .sorted()
            .collect(Collectors.joining());
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(shared.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, HASH_CHARACTERS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    String section = "";
    for (Line line : lines) {
      if (!line.section().equals(section)) {
        section = line.section();
        text.append('[').append(section).append("]\n");
      }
      text.append(line).append('\n');
    }
    return text.toString();
  }

  private void database(DatabaseConfig database) {
    String section = DatabaseConfig.SECTION;
    add(section, DatabaseConfig.ENDPOINT, database.endpoint());
    add(section, DatabaseConfig.PORT, database.port());
    add(section, DatabaseConfig.DATABASE, database.database());
    add(section, DatabaseConfig.USER, database.user());
    add(section, DatabaseConfig.KNOWN_AS, database.knownAs());
    add(section, DatabaseConfig.PASSWORD, database.password());
    add(section, DatabaseConfig.SSLMODE, database.sslmode());
    add(section, DatabaseConfig.SSLROOTCERT, database.sslrootcert());
    add(section, DatabaseConfig.SCHEMA, database.schema());
    add(section, DatabaseConfig.HANDOFF_SCHEMA, database.handoffSchema());
  }

  private void timing(TimingConfig timing) {
    String section = TimingConfig.SECTION;
    add(section, TimingConfig.HEARTBEAT, timing.heartbeat());
    add(section, TimingConfig.LEASE, timing.lease());
    add(section, TimingConfig.TAKEOVER_AFTER, timing.takeoverAfter());
    add(section, TimingConfig.WATCH, timing.watch());
    add(section, TimingConfig.NETWORK_TIMEOUT, timing.networkTimeout());
    add(section, TimingConfig.S3_ATTEMPT_TIMEOUT, timing.s3AttemptTimeout());
    add(section, TimingConfig.FAILBACK_AFTER, timing.failbackAfter());
    add(section, TimingConfig.STUCK_AFTER, timing.stuckAfter());
  }

  private void redis(RedisConfig redis) {
    String section = RedisConfig.SECTION;
    add(section, RedisConfig.ENDPOINT, redis.endpoint());
    add(section, RedisConfig.PORT, redis.port());
    add(section, RedisConfig.USER, redis.user());
    add(section, RedisConfig.PASSWORD, redis.password());
    add(section, RedisConfig.TLS, redis.tls());
    add(section, RedisConfig.PREFIX, redis.prefix());
    add(section, RedisConfig.EXPIRY, redis.expiry());
  }

  private void http(HttpConfig http) {
    add(HttpConfig.SECTION, HttpConfig.LISTEN, http.listen());
    add(HttpConfig.SECTION, HttpConfig.TOKEN_FILE, http.token());
  }

  private void metrics(MetricsConfig metrics) {
    if (!metrics.equals(MetricsConfig.OFF)) {
      add(MetricsConfig.SECTION, MetricsConfig.EMF, metrics.emf());
      add(MetricsConfig.SECTION, MetricsConfig.EMF_RECORDERS, metrics.written());
    }
  }

  private void recorder(RecorderSection recorder) {
    String section = RecorderSection.SECTION + recorder.name();
    add(section, RecorderSection.LOCKID, recorder.lockId());
    add(section, RecorderSection.KIND, recorder.kind());
    switch (recorder.kind()) {
      case LOG -> log(section, recorder);
      case REQUESTS -> requests(section, recorder);
    }
    add(section, RecorderSection.HISTORY, recorder.history());
    if (recorder.kind() == RecorderKindWord.LOG && recorder.history().isBySize()) {
      add(section, RecorderSection.HISTORY_BLOCK, recorder.history().block());
    }
    add(section, RecorderSection.VERIFY_EVERY, recorder.verifyEvery());
    s3(section, recorder.s3());
    add(section, RecorderSection.LOG_LEVEL, recorder.logLevel());
  }

  private void log(String section, RecorderSection recorder) {
    add(section, Leading.ELECTION, recorder.leading().election());
    if (recorder.leading().election() == ElectionWord.ADVISORY) {
      add(section, Leading.PRIMARY, recorder.primary());
      add(section, Leading.FAILBACK, recorder.leading().failback());
    }
    add(section, Feed.SOURCE, recorder.feed().source());
    add(section, Feed.INTERVAL, recorder.feed().interval());
    add(section, Feed.CAPTURE, recorder.feed().tables());
    batching(section, recorder.batching());
  }

  /** Of tables that are captured otherwise than usual. */
  private void captures(RecorderSection recorder) {
    for (CaptureSection capture : recorder.feed().captures()) {
      if (!capture.options().equals(CaptureOptions.USUAL)) {
        capture(capture.name(recorder.name()), capture.options());
      }
    }
  }

  private void capture(String section, CaptureOptions options) {
    if (options.entity() != null) {
      add(section, CaptureSection.ENTITY, options.entity());
      add(section, CaptureSection.WHEN, options.when());
      return;
    }
    add(section, CaptureSection.COLUMNS, names(options.columns().only()));
    add(section, CaptureSection.EXCEPT, names(options.columns().except()));
    add(section, CaptureSection.WHEN, options.when());
    add(section, CaptureSection.KEY, options.key());
    add(section, CaptureSection.OLD, OldImageWord.valueOf(options.old().name()));
  }

  private static @Nullable ColumnNames names(List<String> columns) {
    return columns.isEmpty() ? null : new ColumnNames(columns);
  }

  private void batching(String section, Batching batching) {
    add(section, Batching.LINGER, batching.linger());
    add(section, Batching.ROTATE_ROWS, batching.rotateRows());
    add(section, Batching.ROTATE_BYTES, batching.rotateBytes());
    add(section, Batching.MAX_PAYLOAD, batching.maxPayload());
    add(section, Batching.COMPRESSION, batching.compression());
  }

  private void requests(String section, RecorderSection recorder) {
    RequestWork requests = recorder.requests();
    add(section, RequestWork.WORKERS, requests.workers());
    add(section, RequestWork.HANDLER, requests.handler());
    add(section, RequestWork.HANDLER_TIMEOUT, requests.handlerTimeout());
    add(section, RequestWork.MAX_ATTEMPTS, requests.maxAttempts());
    add(section, RequestWork.QUERY, requests.query());
    add(section, Feed.CAPTURE, recorder.feed().tables());
    add(section, Batching.MAX_PAYLOAD, recorder.batching().maxPayload());
  }

  private void s3(String section, S3Config s3) {
    add(section, S3Config.REGION, s3.region());
    add(section, S3Config.BUCKET, s3.bucket());
    add(section, S3Config.PREFIX, s3.prefix());
    add(section, S3Config.ENDPOINT, s3.endpoint());
    add(section, S3Config.PATH_STYLE, s3.pathStyle());
    add(section, S3Config.CHECKSUMS, s3.checksums());
  }

  private void add(String section, Setting<?> setting, @Nullable Object value) {
    if (value != null) {
      lines.add(new Line(section, setting, Setting.write(value)));
    }
  }
}
