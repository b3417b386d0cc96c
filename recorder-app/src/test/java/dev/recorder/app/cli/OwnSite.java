package dev.recorder.app.cli;

import dev.recorder.testing.TestFolder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of which each has a site of its own, except those that are {@link Reading} or {@link
 * MachineStopped}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class OwnSite {
  /** How many rows of {@code orders} are recorded before a test that is {@link Reading}. */
  protected static final int RECORDED = 250;

  protected @TempDir Path folder;
  protected TestSite site;
  private TestFolder sharedFolder;
  private TestSite shared;
  private TestFolder stoppedFolder;
  private TestSite stopped;

  /**
   * A test that changes nothing in the database and in the store. All such tests of a class share a
   * site on which a machine runs and has recorded: to start one costs more than most commands. What
   * a test configures is forgotten when it ends.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.METHOD)
  public @interface Reading {}

  /**
   * A test, or all tests of a class, beside a machine that ran once ({@link #runOnce}) and is
   * stopped. Each has a copy of that machine's database, and the store is that machine's: no test
   * changes an object of a log, and no two start a machine that records.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.TYPE})
  public @interface MachineStopped {}

  @BeforeEach
  protected void create(TestInfo test) throws Exception {
    Method method = test.getTestMethod().orElseThrow();
    if (method.isAnnotationPresent(Reading.class)) {
      site = shared();
    } else if (method.isAnnotationPresent(MachineStopped.class)
        || getClass().isAnnotationPresent(MachineStopped.class)) {
      site = stopped().copy(folder);
    } else {
      site = TestSite.create(folder);
    }
  }

  private TestSite shared() throws Exception {
    if (shared == null) {
      sharedFolder = TestFolder.create("site");
      shared = TestSite.create(sharedFolder.path());
      shared.start();
      shared.record("orders", RECORDED);
    }
    return shared;
  }

  private TestSite stopped() throws Exception {
    if (stopped == null) {
      stoppedFolder = TestFolder.create("site");
      stopped = TestSite.create(stoppedFolder.path());
      runOnce(stopped);
    }
    return stopped;
  }

  /** What comes before all tests that are {@link MachineStopped}. */
  protected void runOnce(TestSite machine) throws Exception {
    machine.runOnce();
  }

  protected Run checkOnline() {
    return site.run("check", "--online");
  }

  @AfterEach
  protected void close() throws Exception {
    if (site == shared) {
      shared.configureAsCreated();
    } else {
      site.close();
    }
  }

  @AfterAll
  protected void closeShared() throws Exception {
    if (shared != null) {
      shared.close();
      sharedFolder.close();
    }
    if (stopped != null) {
      stopped.close();
      stoppedFolder.close();
    }
  }
}
