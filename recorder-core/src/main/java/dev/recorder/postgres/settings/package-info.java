/**
 * The one place that says what a session of ours sets, whatever the role, the database or the
 * server has been given: {@link dev.recorder.postgres.settings.SessionSettings} at its start, by
 * {@link dev.recorder.postgres.settings.SessionKind}, and {@link
 * dev.recorder.postgres.settings.LaterSettings} for what it does next. Opens no session, and has no
 * thread.
 */
@NullMarked
package dev.recorder.postgres.settings;

import org.jspecify.annotations.NullMarked;
