package dev.recorder.machine.shared;

import dev.recorder.capture.postgres.CaptureNews;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides which findings about captures to log: events each time, conditions once until they end or
 * change. Pure; for one thread.
 */
final class ToldOnce {
  private Set<CaptureNews> lasting = Set.of();

  /** Returns the findings of a look that should be logged, in their order. */
  List<CaptureNews> of(List<CaptureNews> look) {
    Set<CaptureNews> now = new HashSet<>();
    List<CaptureNews> fresh =
        look.stream()
            .filter(news -> news.kind().isEvent() || isNew(news.withoutDetail(), now))
            .toList();
    lasting = now;
    return fresh;
  }

  private boolean isNew(CaptureNews news, Set<CaptureNews> now) {
    return now.add(news) && !lasting.contains(news);
  }
}
