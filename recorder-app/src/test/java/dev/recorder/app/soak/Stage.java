package dev.recorder.app.soak;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import java.util.List;

/** Where a run takes place, and who looks at what. */
public record Stage(
    Cluster cluster, List<Host> hosts, Watch watch, FaultyHosts faults, S3Traffic traffic) {}
