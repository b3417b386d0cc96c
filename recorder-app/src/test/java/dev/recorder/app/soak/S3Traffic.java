package dev.recorder.app.soak;

import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hosts' way to S3: notes the PUTs of slots and does to requests what the faults in force say.
 * Thread-safe.
 */
final class S3Traffic {
  /** Paths of slots. */
  static final Pattern SLOT = Pattern.compile(".*/([^/]+)/(\\d{20})\\.ndjson\\.(?:gz|zst)");

  private static final DateTimeFormatter AMZ_DATE =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX").withZone(ZoneOffset.UTC);

  private final HttpTap tap;
  private final Random random;
  private final Pattern objects;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicBoolean gone = new AtomicBoolean();
  private final Map<Integer, Decision> active = new ConcurrentHashMap<>();
  private final List<SlotPut> puts = new ArrayList<>();

  /**
   * A PUT of a slot.
   *
   * @param signed when the writer began it, in whole seconds of the epoch, cut off
   * @param arrivedMillis when it came to the tap
   */
  record SlotPut(
      String recorder, long slot, String writer, long epoch, long signed, long arrivedMillis) {}

  /** Decides on one request; {@link Fault#none} leaves it to others. */
  private interface Decision {
    Fault on(HttpTap.Request request);
  }

  /**
   * @param objects paths of what is recorded, whose PUTs have faults of their own
   */
  S3Traffic(HttpTap tap, long seed, Pattern objects) {
    this.tap = tap;
    this.objects = objects;
    this.random = new Random(seed);
    tap.onRequest(this::decide);
  }

  /** Does {@code fault} to a share of all requests from now on. */
  Optional<Struck> start(Drawn drawn, Fault fault) {
    return start("s3", request -> draw() < drawn.share() ? fault : Fault.none());
  }

  /** Delays every PUT by a time of its own from now on. */
  Optional<Struck> latePuts() {
    return start(
        "s3",
        request ->
            isPut(request)
                ? Fault.delay(Duration.ofMillis(200 + (long) (draw() * 1_800)))
                : Fault.none());
  }

  /** Refuses the PUTs by one host from now on. */
  Optional<Struck> noSlotsOf(String host) {
    return start(
        "s3 for " + host,
        request ->
            isPut(request) && request.writer().filter(host::equals).isPresent()
                ? Fault.answer(503, "SlowDown")
                : Fault.none());
  }

  Optional<Struck> gone() {
    if (!gone.compareAndSet(false, true)) {
      return Optional.empty();
    }
    tap.goAway();
    return Optional.of(
        new Struck(
            "s3",
            () -> {
              tap.comeBack();
              gone.set(false);
            }));
  }

  private Optional<Struck> start(String whom, Decision decision) {
    int number = count.incrementAndGet();
    active.put(number, decision);
    return Optional.of(new Struck(whom, () -> active.remove(number)));
  }

  /** Forgets what is of no use any more; to be called every now and then. */
  void tidy() {
    tap.forgetRequests();
  }

  List<SlotPut> slotPuts() {
    synchronized (puts) {
      return List.copyOf(puts);
    }
  }

  private Fault decide(HttpTap.Request request) {
    note(request);
    for (Decision each : active.values()) {
      Fault fault = each.on(request);
      if (!fault.equals(Fault.none())) {
        return fault;
      }
    }
    return Fault.none();
  }

  private double draw() {
    synchronized (random) {
      return random.nextDouble();
    }
  }

  private boolean isPut(HttpTap.Request request) {
    return request.method().equals("PUT") && objects.matcher(request.path()).matches();
  }

  private void note(HttpTap.Request request) {
    Matcher path = SLOT.matcher(request.path());
    if (isPut(request) && path.matches()) {
      SlotPut put =
          new SlotPut(
              path.group(1).intern(),
              Long.parseLong(path.group(2)),
              request.writer().orElse("?").intern(),
              request.epoch().orElse(-1L),
              request
                  .header("x-amz-date")
                  .map(date -> Instant.from(AMZ_DATE.parse(date)).getEpochSecond())
                  .orElse(0L),
              request.at().toEpochMilli());
      synchronized (puts) {
        puts.add(put);
      }
    }
  }
}
