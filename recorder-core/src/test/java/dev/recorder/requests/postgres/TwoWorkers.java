package dev.recorder.requests.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.requests.Claim;
import dev.recorder.requests.postgres.RequestSite.Row;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The same with a worker each of two machines, who hold nothing in the end. */
abstract class TwoWorkers extends OneTable {
  static final Set<String> NOBODY = Set.of();
  static final Claim NOTHING = new Claim.Nothing();

  RequestSession a;
  RequestSession b;

  @BeforeEach
  void open() {
    a = site.worker("a");
    b = site.worker("b");
  }

  @AfterEach
  @Override
  void forget() throws Exception {
    super.forget();
    assertThat(site.locks()).isZero();
  }

  /** Of anything behind the line. */
  static Claim claim(RequestSession worker, long line) {
    return worker.claim(UUID.randomUUID(), line, NOBODY, true);
  }

  /** It cannot be worked on, and is given back. */
  static void assertNotToBeHad(RequestSession worker, Claim.Begun begun) {
    assertThat(RequestSite.lock(worker, begun)).isEmpty();
    worker.takeBack(begun);
  }

  static Row untouched(long id) {
    return new Row(id, "new", null, null, 0, 0, null, false, false, null);
  }
}
