package dev.recorder.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.TakeoverReason;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What /metrics says, line by line. */
class ExpositionTest {
  private static final Readiness READY = new Readiness(ReadinessState.READY, "", 0);
  private static final int MOST_BUCKETS = 12;

  @Test
  void whatIsKnownIsSaid() {
    assertThat(Example.text().lines())
        .contains(
            "recorder_role{recorder=\"orders1\",role=\"active\"} 1.0",
            "recorder_role{recorder=\"orders1\",role=\"standby\"} 0.0",
            "recorder_role{recorder=\"orders1\",role=\"unable\"} 0.0",
            "recorder_active{recorder=\"orders1\"} 1.0",
            "recorder_epoch{recorder=\"orders1\"} 8.0",
            "recorder_last_slot{recorder=\"orders1\"} 42.0",
            "recorder_slots_total{recorder=\"orders1\"} 1.0",
            "recorder_rows_total{recorder=\"orders1\"} 10.0",
            "recorder_bytes_total{recorder=\"orders1\"} 2000.0",
            "recorder_object_bytes_total{recorder=\"orders1\"} 500.0",
            "recorder_put_seconds_bucket{recorder=\"orders1\",le=\"0.01\"} 0",
            "recorder_put_seconds_bucket{recorder=\"orders1\",le=\"0.025\"} 1",
            "recorder_put_seconds_bucket{recorder=\"orders1\",le=\"+Inf\"} 1",
            "recorder_put_seconds_sum{recorder=\"orders1\"} 0.02",
            "recorder_lease_seconds 1.2",
            "recorder_heartbeat_age_seconds 0.3",
            "recorder_hosts_able{recorder=\"orders1\"} 1.0",
            "recorder_hosts_wanted 2.0",
            "recorder_held{recorder=\"orders1\"} 1.0",
            "recorder_settled_age_seconds{recorder=\"orders1\"} 3.0",
            "recorder_stuck{recorder=\"orders1\"} 0.0",
            "recorder_clearing_waits_seconds{recorder=\"orders1\"} 0.0",
            "recorder_waiting{recorder=\"orders1\"} 7.0",
            "recorder_oldest_waiting_seconds{recorder=\"orders1\"} 1.5",
            "recorder_oldest_waiting_seconds{recorder=\"jobs\"} 9.0",
            "recorder_requests_present{recorder=\"jobs\",state=\"delayed\"} 2.0",
            "recorder_requests_present{recorder=\"jobs\",state=\"due\"} 3.0",
            "recorder_requests_present{recorder=\"jobs\",state=\"error\"} 1.0",
            "recorder_shared_locks{kind=\"advisory\"} 4.0",
            "recorder_shared_locks{kind=\"mutex\"} 5.0",
            "recorder_shared_locks{kind=\"timeout\"} 6.0",
            "recorder_shared_lock_waiters 1.0",
            "recorder_notes{kind=\"few_able\"} 1.0",
            "recorder_notes{kind=\"xmin_held\"} 0.0");
  }

  /** Else the first takeover would be no increase. */
  @Test
  void whatCanHappenBeginsAtZero() {
    String text = Example.text();

    for (TakeoverReason reason : TakeoverReason.values()) {
      String start = "recorder_takeovers_total{reason=\"" + reason + "\",recorder=\"orders1\"} ";
      assertThat(text).contains(start + (reason == TakeoverReason.DIED ? "1.0" : "0.0"));
    }
    assertThat(text)
        .contains("recorder_errors_total{kind=\"store\",recorder=\"orders1\"} 0.0")
        .contains("recorder_reloads_total{result=\"failed\"} 0.0")
        .contains("recorder_requests_total{recorder=\"jobs\",result=\"error\"} 0.0");
  }

  @Test
  void withoutItsSessionOrItsLeaseAHostIsNotAbleToProcessRequests() {
    String able = "recorder_requests_able{recorder=\"jobs\"} ";
    MachineMetrics machine = Example.machine(1);
    machine.requests("jobs").readiness(() -> READY);
    assertThat(Example.text(machine)).contains(able + "1.0");

    machine.heartbeats(() -> -1, () -> 0);
    assertThat(Example.text(machine)).contains(able + "0.0");

    machine.heartbeats(() -> 1, () -> 0);
    machine.sessionLost();
    assertThat(Example.text(machine)).contains(able + "0.0");
  }

  @Test
  void noSeriesIsSaidTwice() {
    List<String> series =
        Example.text()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.substring(0, line.lastIndexOf(' ')))
            .toList();

    assertThat(series).hasSameSizeAs(new HashSet<>(series));
  }

  @Test
  void noHistogramHasMoreBucketsThanItsBound() {
    Pattern bucket = Pattern.compile("(?m)^(\\w+)_bucket\\{(.*),?le=\"[^\"]+\"");
    Matcher found = bucket.matcher(Example.text());
    List<String> all = new ArrayList<>();
    while (found.find()) {
      all.add(found.group(1) + found.group(2));
    }

    assertThat(all).isNotEmpty();
    new HashSet<>(all)
        .forEach(
            each ->
                assertThat(all.stream().filter(each::equals).count())
                    .as(each)
                    .isLessThanOrEqualTo(MOST_BUCKETS));
  }

  @Test
  void aRecorderThatLeavesTheConfigurationIsSaidNoMore() {
    MachineMetrics machine = Example.machine(2);
    assertThat(Example.text(machine)).contains("orders2");

    machine.configured(List.of("orders1"), List.of());

    assertThat(Example.text(machine)).contains("orders1").doesNotContain("orders2", "jobs");
  }

  @Test
  void thousandRecordersAreSaidInLittleTime() {
    MachineMetrics machine = Example.machine(998);
    int length = 0;
    long begun = 0;
    int rounds = 20;
    for (int i = -rounds; i < rounds; i++) {
      if (i == 0) {
        begun = System.nanoTime();
      }
      length = Example.text(machine).length();
    }

    long micros = (System.nanoTime() - begun) / 1_000 / rounds;
    System.out.println("figure: 998 recorders: " + length + " characters in us " + micros);
    assertThat(length).isGreaterThan(998 * 1000);
  }
}
