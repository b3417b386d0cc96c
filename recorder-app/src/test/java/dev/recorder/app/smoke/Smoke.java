package dev.recorder.app.smoke;

import dev.recorder.testing.PostgresServer;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A process that runs the tests with the tag {@code smoke} of both modules, on one server. */
final class Smoke {
  static final String TAG = "smoke";

  private Smoke() {}

  public static void main(String[] arguments) throws Exception {
    LauncherDiscoveryRequest tests =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectPackage("dev.recorder"))
            .filters(TagFilter.includeTags(TAG))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(tests, listener);
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
}
