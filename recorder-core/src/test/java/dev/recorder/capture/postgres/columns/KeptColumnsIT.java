package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.OldImage;
import org.junit.jupiter.api.Test;

/** A column that is captured stays in the log under whatever name it has later. */
class KeptColumnsIT extends ChosenColumns {
  KeptColumnsIT() {
    super(OldImage.KEY);
  }

  private void lastSays(String image) throws Exception {
    assertThat(site.rows()).last().asString().contains(image);
    assertThat(site.changes()).noneMatch(change -> change.contains("TOP"));
  }

  @Test
  void soItDoesUnderTheNameOfOneThatIsLeftOut() throws Exception {
    site.capture("t", except("secret"));
    site.run(
        "INSERT INTO t VALUES (1, 'a', 'TOP')",
        "ALTER TABLE t RENAME secret TO pw",
        "ALTER TABLE t RENAME a TO secret",
        "INSERT INTO t VALUES (2, 'b', 'TOP')",
        "UPDATE t SET secret = 'c' WHERE id = 2");
    lastSays("\"after\":{\"id\":2,\"secret\":\"c\"}");
    site.run("DELETE FROM t WHERE id = 1");
    site.snapshot("t");
    lastSays("\"after\":{\"id\":2,\"secret\":\"c\"}");
    assertThat(findings(false))
        .singleElement()
        .asString()
        .contains(
            "what was left out or captured stays so: secret was captured under another name,"
                + " secret is called pw now;");

    site.capture("t", except("pw"), true);
    assertThat(findings(false)).isEmpty();
    site.run("INSERT INTO t VALUES (3, 'd', 'TOP')");
    lastSays("\"after\":{\"id\":3,\"secret\":\"d\"}");
  }

  @Test
  void soDoesOneOfTheKey() throws Exception {
    site.capture("t", except("secret"));
    site.run(
        "ALTER TABLE t DROP secret",
        "ALTER TABLE t RENAME id TO secret",
        "INSERT INTO t VALUES (1, 'a')");
    lastSays("\"key\":{\"secret\":1},\"after\":{\"secret\":1,\"a\":\"a\"}");
    assertThat(findings(false))
        .singleElement()
        .asString()
        .contains("secret was captured under another");
  }

  /** From the first change on that is logged with it. */
  @Test
  void soDoesOneThatComesLater() throws Exception {
    site.capture("t", except("secret"));
    site.run(
        "ALTER TABLE t DROP secret, ADD more text",
        "INSERT INTO t VALUES (1, 'a', 'more')",
        "ALTER TABLE t RENAME more TO secret",
        "INSERT INTO t VALUES (2, 'b', 'kept')");
    lastSays("\"after\":{\"id\":2,\"a\":\"b\",\"secret\":\"kept\"}");
    site.run("ALTER TABLE t RENAME secret TO other", "ALTER TABLE t ADD secret text");
    site.snapshot("t");
    site.run("INSERT INTO t VALUES (3, 'c', 'kept', 'TOP')");
    lastSays("\"after\":{\"id\":3,\"a\":\"c\",\"other\":\"kept\"}");
  }

  @Test
  void soDoesOneThatComesLaterWithTheNameOfAChosenOne() throws Exception {
    site.capture("t", only("id", "a"));
    site.run(
        "ALTER TABLE t DROP a",
        "ALTER TABLE t ADD a text",
        "INSERT INTO t VALUES (1, 'TOP', 'a')",
        "ALTER TABLE t RENAME a TO b",
        "INSERT INTO t VALUES (2, 'TOP', 'kept')");
    lastSays("\"after\":{\"id\":2,\"b\":\"kept\"}");
    site.snapshot("t");
    lastSays("\"b\":\"kept\"}");
    assertThat(findings(false))
        .anyMatch(text -> text.contains("b was captured under another name"));
  }

  @Test
  void soItDoesInAPartition() throws Exception {
    site.run(
        "DROP TABLE t",
        "CREATE TABLE t (id int PRIMARY KEY, a text, secret text) PARTITION BY LIST (id)",
        "CREATE TABLE t1 (secret text, a text, id int NOT NULL)",
        "ALTER TABLE t ATTACH PARTITION t1 DEFAULT");
    site.capture("t", except("secret"));
    site.run(
        "ALTER TABLE t RENAME secret TO pw",
        "ALTER TABLE t RENAME a TO secret",
        "INSERT INTO t1 (id, secret, pw) VALUES (2, 'b', 'TOP')");
    lastSays("\"after\":{\"id\":2,\"secret\":\"b\"}");
  }
}
