package dev.recorder.capture.postgres;

import dev.recorder.capture.OldImage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Foreign keys by which one statement changes a row of another table and then deletes it. The
 * server tells the deletes and the updates apart, here the deletes first.
 */
class ReplayedCascadesIT extends WithSnapshotSite {
  @BeforeEach
  void setUp() throws Exception {
    site.source.run(
        "CREATE TABLE public.parent (id integer PRIMARY KEY)",
        "INSERT INTO public.parent VALUES (1), (2), (3)",
        "CREATE TABLE public.child (id integer PRIMARY KEY,"
            + " a integer REFERENCES public.parent ON DELETE CASCADE,"
            + " b integer REFERENCES public.parent ON DELETE SET NULL)");
  }

  @ParameterizedTest
  @EnumSource
  void aRowThatAStatementHasChangedAndThenDeletedByForeignKeysStaysDeleted(OldImage old)
      throws Exception {
    site.capture("public.child", old, false);
    site.source.run(
        "INSERT INTO public.child VALUES (7, 2, 1), (8, 1, 2), (9, 3, 1), (10, 3, 3)",
        "DELETE FROM public.parent WHERE id < 3");

    site.provesEqual("public.child");
  }

  @ParameterizedTest
  @EnumSource
  void soDoesOneThatASnapshotHasHandedOver(OldImage old) throws Exception {
    site.source.run("INSERT INTO public.child VALUES (7, 2, 1), (8, 1, 2), (9, 3, 1)");
    site.capture("public.child", old, false);
    site.snapshot("public.child");
    site.provesEqual("public.child");
    site.source.run("DELETE FROM public.parent WHERE id < 3");

    site.provesEqual("public.child");
  }

  /** What the row was in between is a new row first, and then an old one. */
  @ParameterizedTest
  @EnumSource
  void aRowWhoseKeyTwoForeignKeysChangeInOneStatementIsThereOnce(OldImage old) throws Exception {
    site.source.run(
        "CREATE TABLE public.customer (id text COLLATE \"C\" PRIMARY KEY)",
        "CREATE TABLE public.product (id text COLLATE \"POSIX\" PRIMARY KEY)",
        "INSERT INTO public.customer VALUES (1), (2)",
        "INSERT INTO public.product VALUES (1), (2)",
        "CREATE TABLE public.wish ("
            + "customer text COLLATE \"C\" REFERENCES public.customer ON UPDATE CASCADE,"
            + " product text COLLATE \"POSIX\" REFERENCES public.product ON UPDATE CASCADE,"
            + " PRIMARY KEY (customer, product))");
    site.capture("public.wish", old, false);
    site.source.run(
        "INSERT INTO public.wish VALUES (1, 1), (1, 2), (2, 1)",
        "WITH c AS (UPDATE public.customer SET id = 11 WHERE id = '1')"
            + " UPDATE public.product SET id = 12 WHERE id = '1'");

    site.provesEqual("public.wish");
  }
}
