/**
 * The settings of our sessions, whatever the role, the database or the server has been given:
 * {@link dev.recorder.postgres.settings.SessionSettings} at the start, by {@link
 * dev.recorder.postgres.settings.SessionKind}, and {@link
 * dev.recorder.postgres.settings.SettingOverrides} for later changes. Opens no session, and has no
 * thread.
 */
@NullMarked
package dev.recorder.postgres.settings;

import org.jspecify.annotations.NullMarked;
