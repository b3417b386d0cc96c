package dev.recorder.requests.postgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** What tests have in common that share a table of requests: it is empty before each of them. */
abstract class OneTable {
  static RequestSite site;

  @BeforeAll
  static void createTable() throws Exception {
    site = new RequestSite();
  }

  @AfterEach
  void forget() throws Exception {
    site.clear();
  }

  @AfterAll
  static void drop() throws Exception {
    site.close();
  }
}
