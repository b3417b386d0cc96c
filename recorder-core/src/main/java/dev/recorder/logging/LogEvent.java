package dev.recorder.logging;

/** The events that the library logs. docs/logs.md lists them all. */
public enum LogEvent implements NamedEvent {
  // Any of the wings.
  BUG(""),
  OUTAGE_BEGAN("what why"),
  OUTAGE_ENDED("what"),

  // The host as a whole.
  REGISTERED("machine pid"),
  CONTROL_SESSION_LOST("why"),
  DATABASE_NOT_USABLE("why"),
  NAME_TAKEN("why"),
  HOSTS_DIFFER("what"),
  LOCK_TAKEN("lock holder remedy"),
  LOCK_FREE("lock holder"),
  ROLE_IS_SUPERUSER("role"),
  POSTGRESQL_DAMAGES_INDEXES("version"),
  ROW_VERSIONS_HELD_BACK("minutes by"),
  LOOKING_TOGETHER(""),
  LOOKING_LOG_BY_LOG("why"),
  ORDER_TAKEN("wish - by"),
  ORDERS_NOT_TAKEN("table why"),
  STOPPING(""),
  STOPPING_UNREACHED(""),
  SLOTS_NOT_SETTLED("within_s"),
  REQUESTS_NOT_DONE("within_s"),
  STOPPED("machine"),

  // A recorder, of whichever kind.
  RECORDERS_NOT_ADDED("recorders why"),
  RECORDER_REFUSED("recorder why"),
  RECORDER_REMOVED("recorder"),
  DATABASE_CHANGED("recorder to from"),
  MAX_PAYLOAD_NOT_APPLIED("recorder why"),
  ABLE(""),
  NOT_ABLE("again_in_s why"),
  PAUSED("recorder until reason"),
  RESUMED("recorder"),

  // A log.
  STANDING_BY("why"),
  TERM_BEGAN("reason from to from_epoch epoch silence_ms - why gap_ms"),
  FIRST_SLOT_SETTLED("slot after_ms"),
  SLOT_ADOPTED("slot"),
  HISTORY_LOST("slot writer rows_matched rows_in_object -"),
  CHAIN_BROKEN("slot writer epoch"),
  STEP_DONE("effect - answer - slot why"),
  HANDING_OVER("why"),
  TERM_ENDED("epoch why"),
  EXPECT_NOT_ANSWERED("bucket after_ms"),
  OBJECTS_EXPIRE("bucket folder rules"),
  OBJECTS_ARCHIVED("bucket folder rules"),
  ROWS_CLEARED("rows - mebibytes where"),
  ROWS_STAY("why"),
  SLOT_ROWS_STAY("why"),
  LOG_VERIFIED("from to rows - compared"),
  LOG_HAS_FAULTS("from to faults - first"),
  VERIFYING_UNFINISHED("why"),
  VERIFYING_NOT_APPLIED("why"),
  TABLE_LATE("why"),
  TABLE_UP_TO_DATE("slot version"),
  TABLE_VALUES_DO_NOT_FIT("values -"),
  TABLE_LACKS_SLOTS("slots -"),

  // Captures.
  CAPTURE_SET_UP("table"),
  PARTITION_CAPTURED("partition"),
  TRIGGERS_REMOVED("table from"),
  TRIGGERS_KEPT("table why"),
  TABLE_NOT_CAPTURED("table why"),
  PARTITION_NOT_CAPTURED("partition why"),
  CAPTURED_OTHERWISE("table why"),
  CAPTURE_LOSES_CHANGES("table why"),
  CHANGES_MAY_BE_MISSING("table why"),
  DOCUMENTS_MAY_BE_OLD("table why"),
  CAPTURE_REMARK("table remark"),
  CAPTURES_NOT_LOOKED_AT("why"),
  TABLE_IN_USE("table by"),

  // Requests.
  PROCESSING_REQUESTS("workers"),
  UNIT_SETTLED("recorder first_id complete failed"),
  REQUESTS_FAILED("what times"),
  REQUESTS_POSTPONED("what times"),
  REQUESTS_GIVEN_BACK("what times"),
  HANDLER_FAILED("recorder requests - first_id"),
  HANDLER_THREAD_FAILED("recorder which"),
  PROGRAMS_MAY_OUTLIVE(""),
  SILENT_SESSIONS_ENDED("sessions -"),
  REQUESTS_CLEARED("recorder requests -"),

  // Locks, elected workers and tasks.
  WORKER_CHANGED("worker lock from to because"),
  WORKER_WAITS("worker why"),
  LOCK_SERVICE_ANSWERS("worker lock"),
  LOCK_RETAKEN("lock owner token"),
  TASKS_TIMED_OUT("tasks");

  private final String arguments;

  LogEvent(String arguments) {
    this.arguments = arguments;
  }

  @Override
  public String arguments() {
    return arguments;
  }
}
