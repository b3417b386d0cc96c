package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.OldImage;
import dev.recorder.replay.ReplayResult;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Partitions over ranges of texts that are truncated: a collation orders their rows. */
class ReplayedTruncationIT extends WithSnapshotSite {
  private ReplayResult truncate(String column, String key, String from) throws Exception {
    site.source.run(
        "CREATE TABLE public.word (v text COLLATE \"%s\") PARTITION BY RANGE (v COLLATE \"%s\")"
            .formatted(column, key),
        "CREATE TABLE public.word_b PARTITION OF public.word FOR VALUES FROM ('%s') TO ('c')"
            .formatted(from),
        "CREATE TABLE public.word_rest PARTITION OF public.word DEFAULT");
    site.capture("public.word", OldImage.ALL, false);
    site.source.run(
        "INSERT INTO public.word VALUES ('a'), ('b'), ('B'), ('C'), ('d')",
        "TRUNCATE public.word_b");
    site.source.record(SnapshotSite.ALL);
    return site.replay();
  }

  private static final String ROWS = "SELECT v FROM public.word ORDER BY v COLLATE \"C\"";

  private List<String> there() throws Exception {
    return site.target.query(ROWS, row -> row.getString(1));
  }

  /** The condition in the log says nothing of the collation of the partition key, or another's. */
  @ParameterizedTest
  @CsvSource({"default,und-x-icu,a", "C,und-x-icu,B"})
  void rowsAreKeptAndToldIfWhatOrdersThemIsNotKnownInTheTarget(
      String column, String key, String from) throws Exception {
    ReplayResult result = truncate(column, key, from);

    assertThat(there()).containsExactly("B", "C", "a", "b", "d");
    assertThat(result.incomplete()).containsExactly("public.word");
  }

  @ParameterizedTest
  @CsvSource({"default,C,a", "und-x-icu,C,B", "C,C,B", "POSIX,POSIX,a", "default,default,a"})
  void rowsAreRemovedInTheOrderThatTheSourceHas(String column, String key, String from)
      throws Exception {
    ReplayResult result = truncate(column, key, from);

    assertThat(result.incomplete()).isEmpty();
    assertThat(there()).isEqualTo(site.source.ask(ROWS));
  }
}
