/**
 * The settings of the recorder's sessions, which override those of role, database and server.
 * {@link dev.recorder.postgres.settings.SessionSettings} has the settings at the start, by {@link
 * dev.recorder.postgres.settings.SessionKind}, and {@link
 * dev.recorder.postgres.settings.SettingOverrides} later changes. Opens no session, and has no
 * thread.
 */
@NullMarked
package dev.recorder.postgres.settings;

import org.jspecify.annotations.NullMarked;
