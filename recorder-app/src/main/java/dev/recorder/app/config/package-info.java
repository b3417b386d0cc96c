/**
 * The INI file of one host: read, checked as a whole, and handed over as immutable values.
 *
 * <p>Here live what concerns several sections, the effective configuration, and what a changed file
 * means. Below: {@code host}, {@code recorder} and {@code connection} have the sections with every
 * key, its default and its limits; {@code ini} the grammar and how a section is read; {@code value}
 * what a value can be. Each knows only those behind it, and {@code recorder} {@code connection}.
 * Here may not live: printing, exit codes, JDBC, S3, threads. All of it runs once at start, or for
 * {@code check}, on the caller's thread; the values may be shared freely.
 *
 * <p>The way through: {@link dev.recorder.app.config.ConfigFile} reads the text, {@code IniScanner}
 * turns it into sections with line numbers, {@code IniView} shows them through
 * commons-configuration2, a {@code SectionReader} reads what the {@code SettingTable} of its
 * section declares, and {@code SectionValues} are built only when nothing was wrong.
 *
 * <p>commons-configuration2 is the typed, hierarchical view: it holds the tree of sections and keys
 * and converts values. It does <em>not</em> parse the file. Its INI parser has no line numbers,
 * merges duplicates silently, takes a section header with a comment for a key, cuts values at
 * {@code " ;"} and {@code " #"}, and cannot write every password down; {@code CommonsTrapsTest}
 * keeps that list honest.
 */
@NullMarked
package dev.recorder.app.config;

import org.jspecify.annotations.NullMarked;
