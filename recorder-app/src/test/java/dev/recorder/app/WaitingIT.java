package dev.recorder.app;

import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * All tests of locks, and the stories and commands that wait for a time limit or are watched for
 * minutes. They wait more than they work: here several run at a time in one process, from the very
 * beginning, since this name comes first, beside those that take the processors.
 */
@Suite
@SelectPackages("dev.recorder.lock")
@SelectClasses(
    names = {
      "dev.recorder.app.cli.LockedTableIT",
      "dev.recorder.app.feature.CapturesAreKeptIT",
      "dev.recorder.app.feature.KeyElectionIT",
      "dev.recorder.app.feature.faults.LostHistoryIT",
      "dev.recorder.app.feature.faults.NamedFaultsIT",
      "dev.recorder.app.feature.requests.RequestStatusIT",
      "dev.recorder.app.feature.ScheduledVerificationIT",
      "dev.recorder.machine.MachineFailuresIT",
    })
@IncludeClassNamePatterns(".*IT")
@ConfigurationParameter(
    key = "junit.jupiter.execution.parallel.mode.classes.default",
    value = "concurrent")
@ConfigurationParameter(
    key = "junit.jupiter.execution.parallel.config.fixed.parallelism",
    value = "6")
@ConfigurationParameter(
    key = "junit.jupiter.execution.parallel.config.fixed.max-pool-size",
    value = "6")
class WaitingIT {}
