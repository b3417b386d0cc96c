package dev.recorder.capture.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table of captures that an early build has made, without a column. */
class EarlierCapturesIT {
  private CaptureSite site;

  @BeforeEach
  void create() throws Exception {
    site = new CaptureSite();
    site.run(
        "CREATE TABLE account (id int PRIMARY KEY)",
        "CREATE TABLE line (id int PRIMARY KEY, order_id int)");
    site.capture("account");
    site.database.execute("ALTER TABLE recorder.captures DROP COLUMN entity_sql");
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void aCaptureIntoALogAddsWhatItLacks() throws Exception {
    site.capture("line");

    assertThat(entities()).isZero();
    site.run("INSERT INTO line VALUES (1, 2)");
    assertThat(site.rows()).singleElement().asString().contains("\"table\":\"public.line\"");
  }

  @Test
  void aCaptureIntoDocumentsAddsWhatItLacks() throws Exception {
    site.captureEntities("line", "order_id");

    assertThat(entities()).isOne();
    site.run("INSERT INTO line VALUES (1, 2)");
    assertThat(site.asked()).containsExactly("2");
  }

  private long entities() throws Exception {
    try (Captures captures = site.captures()) {
      assertThat(captures.list()).as("what was captured before is, too").hasSize(2);
    }
    return site.database.number("SELECT count(entity_sql) FROM recorder.captures");
  }
}
