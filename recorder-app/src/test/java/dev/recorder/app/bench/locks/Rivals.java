package dev.recorder.app.bench.locks;

import java.util.List;

/** Other libraries, where the profile {@code rivals} brings them. */
interface Rivals {
  List<Contestant> contestants(LockServers servers) throws Exception;
}
