package dev.recorder.postgres.sql;

import java.util.Set;

/**
 * Words that no schema can be called by without quotes, in any version from 14 to 18: in {@code
 * user.slots} the server sees its function {@code user}. Behind a dot every word is a name, so
 * tables may be called by these.
 *
 * <p>They are those of {@code pg_get_keywords()} with {@code catcode} R or T; {@code system_user}
 * came with version 16.
 */
final class ReservedWords {
  private static final Set<String> WORDS =
      Set.of(
          """
          all analyse analyze and any array as asc asymmetric authorization binary both case cast
          check collate collation column concurrently constraint create cross current_catalog
          current_date current_role current_schema current_time current_timestamp current_user
          default deferrable desc distinct do else end except false fetch for foreign freeze from
          full grant group having ilike in initially inner intersect into is isnull join lateral
          leading left like limit localtime localtimestamp natural not notnull null offset on only
          or order outer overlaps placing primary references returning right select session_user
          similar some symmetric system_user table tablesample then to trailing true union unique
          user using variadic verbose when where window with"""
              .split("\\s+"));

  private ReservedWords() {}

  static boolean has(String word) {
    return WORDS.contains(word);
  }
}
