package dev.recorder.majors;

import dev.recorder.testing.servers.PostgresServer;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A process that runs the tests with the tag {@code smoke} of given classes, on one server. */
final class Smoke {
  private static final String TAG = "smoke";

  private Smoke() {}

  /** The classes of both modules that have such tests. To find them takes seconds. */
  static List<String> classes() {
    TestPlan plan =
        LauncherFactory.create()
            .discover(tagged(Stream.of(DiscoverySelectors.selectPackage("dev.recorder"))));
    return plan.getRoots().stream()
        .flatMap(root -> plan.getDescendants(root).stream())
        .flatMap(test -> test.getSource().stream())
        .filter(MethodSource.class::isInstance)
        .map(source -> ((MethodSource) source).getClassName())
        .distinct()
        .toList();
  }

  public static void main(String[] classes) throws Exception {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(tagged(Stream.of(classes).map(DiscoverySelectors::selectClass)), listener);
    TestExecutionSummary summary = listener.getSummary();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    summary.printFailuresTo(out, 20);
    out.printf(
        "%d tests in %d s, %d skipped, %d failed, on %s%n",
        summary.getTestsFoundCount(),
        (summary.getTimeFinished() - summary.getTimeStarted()) / 1_000,
        summary.getTestsSkippedCount() + summary.getTestsAbortedCount(),
        summary.getTotalFailureCount(),
        PostgresServer.shared().description());
    boolean proved = summary.getTotalFailureCount() == 0 && summary.getTestsSucceededCount() > 0;
    System.exit(proved ? 0 : 1);
  }

  private static LauncherDiscoveryRequest tagged(Stream<? extends DiscoverySelector> where) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(where.toList())
        .filters(TagFilter.includeTags(TAG))
        .build();
  }
}
