package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayResult;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that the target cannot have, while the replay of all others goes on. */
class ReplayAsideIT {
  private static final int ALL = 50_000;

  private ReplaySite site;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    site.account();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private void schema(String table, String columns) throws Exception {
    site.change("schema", table, ",\"columns\":[" + columns + "],\"key\":[\"id\"]");
  }

  private void put(String table, String id) throws Exception {
    put(table, id, "");
  }

  private void put(String table, String id, String more) throws Exception {
    site.change(
        "insert", table, ",\"key\":{\"id\":%1$s},\"after\":{\"id\":%1$s%2$s}".formatted(id, more));
  }

  private static String column(String name, String type) {
    return "{\"name\":\"%s\",\"type\":\"%s\"}".formatted(name, type);
  }

  private ReplayResult replay() throws Exception {
    site.source.record(ALL);
    return site.replay();
  }

  /** Told once; what was there stays; all other tables go on, also in the next replay. */
  private void isSetAside(String table) throws Exception {
    put("public.account", "1", ",\"name\":\"a\"");
    assertThat(replay().incomplete()).containsExactly(table);
    assertThat(site.accounts()).containsExactly("1=a");
    put(table, "\"9\"");
    put("public.account", "2", ",\"name\":\"b\"");
    assertThat(replay().incomplete()).isEmpty();
    assertThat(site.accounts()).containsExactly("1=a", "2=b");
    assertThat(site.there("SELECT name FROM recorder_replay.tables WHERE aside IS NOT NULL"))
        .containsExactly(table);
  }

  private static String longText() {
    byte[] bytes = new byte[3000];
    new Random(1).nextBytes(bytes);
    return "\"" + HexFormat.of().formatHex(bytes) + "\"";
  }

  @Test
  void aTableIsSetAsideWhoseKeyIsLongerThanAnIndexTakes() throws Exception {
    schema("public.blob", column("id", "text"));
    put("public.blob", "\"short\"");
    replay();
    put("public.blob", "\"second\"");
    put("public.blob", longText());

    isSetAside("public.blob");

    assertThat(site.there("SELECT id FROM public.blob")).containsExactly("short");
  }

  @Test
  void soIsOneWhoseRowIsWiderThanAPage() throws Exception {
    String columns =
        IntStream.range(0, 600)
            .mapToObj(i -> "," + column("c" + i, "text"))
            .collect(Collectors.joining());
    String values =
        IntStream.range(0, 600)
            .mapToObj(i -> ",\"c" + i + "\":\"a text of 20 letters\"")
            .collect(Collectors.joining());
    schema("public.wide", column("id", "text") + columns);
    put("public.wide", "\"1\"", values);

    isSetAside("public.wide");
  }

  @Test
  void soIsOneWhoseKeyHasNoOrder() throws Exception {
    site.target.execute("CREATE DOMAIN public.document AS json");
    schema("public.file", column("id", "public.document"));
    put("public.file", "\"1\"");

    isSetAside("public.file");
  }

  @Test
  void soIsOneThatIsCalledAsAType() throws Exception {
    site.target.execute("CREATE TYPE public.mood AS ENUM ('fine')");
    schema("public.mood", column("id", "text"));
    put("public.mood", "\"1\"");

    isSetAside("public.mood");
  }

  @Test
  void butNotForAnIndexThatMayBeDropped() throws Exception {
    schema("public.blob", column("id", "integer") + "," + column("v", "text"));
    replay();
    site.target.execute("CREATE INDEX mine ON public.blob (v)");
    put("public.blob", "1", ",\"v\":" + longText());

    assertThatThrownBy(this::replay)
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("mine");

    site.target.execute("DROP INDEX public.mine");
    replay();
    assertThat(site.there("SELECT id::text FROM public.blob")).containsExactly("1");
  }

  @Test
  void aTableMayBeCalledAsTheKeyOfAnother() throws Exception {
    for (String table : new String[] {"public.t", "public.t_pkey"}) {
      schema(table, column("id", "integer"));
      put(table, "1");
    }

    assertThat(replay().incomplete()).isEmpty();

    assertThat(site.there("SELECT id::text FROM public.t_pkey")).containsExactly("1");
  }

  @Test
  void aTableWhoseRowsAreInAColumnOfAnotherMayChange() throws Exception {
    schema("public.item", column("id", "integer"));
    replay();
    schema("public.orders", column("id", "integer") + "," + column("items", "public.item[]"));
    put("public.orders", "1", ",\"items\":\"{(1)}\"");
    replay();
    schema("public.item", column("id", "bigint"));
    put("public.item", "5000000000");

    assertThat(replay().incomplete()).isEmpty();

    assertThat(site.there("SELECT id::text FROM public.item")).containsExactly("5000000000");
    assertThat(site.there("SELECT items::text FROM public.orders")).containsExactly("{(1)}");
  }
}
