package dev.recorder.app.shop;

import java.util.List;

/** Seventeen tables of a shop: keys of several kinds, cascades, partitions, and many types. */
public final class Shop {
  /** In the order in which they can be made. */
  static final List<String> DEFINITIONS =
      List.of(
          "CREATE TYPE public.mood AS ENUM ('glad', 'so ''so''', 'sad')",
          "CREATE SCHEMA \"Stock & more\"",
          "CREATE TABLE public.customer (id int PRIMARY KEY, name text NOT NULL, mood public.mood,"
              + " born date, notes jsonb)",
          "CREATE TABLE public.address (id int PRIMARY KEY, customer int REFERENCES public.customer"
              + " ON DELETE CASCADE ON UPDATE CASCADE, lines text[], at point)",
          "CREATE TABLE public.category (name varchar(30) PRIMARY KEY, parent varchar(30),"
              + " weight double precision)",
          "CREATE TABLE public.product (sku char(8) PRIMARY KEY, category varchar(30) REFERENCES"
              + " public.category ON DELETE SET NULL ON UPDATE CASCADE, price numeric(12,2),"
              + " picture bytea)",
          "CREATE TABLE public.price (sku char(8), since timestamptz, amount numeric,"
              + " PRIMARY KEY (sku, since))",
          "CREATE TABLE public.purchase (id bigint PRIMARY KEY, customer int REFERENCES"
              + " public.customer ON DELETE CASCADE ON UPDATE CASCADE, placed timestamp, total"
              + " numeric, open tsrange)",
          "CREATE TABLE public.line (purchase bigint REFERENCES public.purchase ON DELETE CASCADE"
              + " ON UPDATE CASCADE, no smallint, sku char(8), amount int,"
              + " cost numeric(12,2) GENERATED ALWAYS AS (amount * 1.25) STORED,"
              + " PRIMARY KEY (purchase, no))",
          "CREATE TABLE public.payment (id uuid PRIMARY KEY, purchase bigint, paid boolean,"
              + " after interval, raw json)",
          "CREATE TABLE public.shipment (id int PRIMARY KEY, boxes int[], weights real[],"
              + " sender inet)",
          "CREATE TABLE \"Stock & more\".\"Shelf \"\"A\"\"\" (\"No.\" int PRIMARY KEY, \"held by\" text)",
          "CREATE TABLE public.coupon (code text COLLATE \"C\" PRIMARY KEY, uses int, bits varbit)",
          "CREATE TABLE public.review (id int PRIMARY KEY, stars smallint, body text, tags text[])",
          "CREATE TABLE public.counter (id int PRIMARY KEY, n bigint NOT NULL)",
          "CREATE TABLE public.visit (at timestamptz, page text, ms float4)",
          "CREATE TABLE public.setting (name text PRIMARY KEY, value json, window_of_it daterange)",
          "CREATE TABLE public.event (id int, region text, what jsonb, PRIMARY KEY (id, region))"
              + " PARTITION BY LIST (region)",
          "CREATE TABLE public.event_east PARTITION OF public.event FOR VALUES IN ('east')",
          "CREATE TABLE public.event_rest PARTITION OF public.event DEFAULT",
          "CREATE TABLE public.token (id int PRIMARY KEY, secret bytea, until time)");

  /** What is captured, as SQL has it. */
  public static final List<String> TABLES =
      List.of(
          "public.customer",
          "public.address",
          "public.category",
          "public.product",
          "public.price",
          "public.purchase",
          "public.line",
          "public.payment",
          "public.shipment",
          "\"Stock & more\".\"Shelf \"\"A\"\"\"",
          "public.coupon",
          "public.review",
          "public.counter",
          "public.visit",
          "public.setting",
          "public.event",
          "public.token");

  /** The one without a key. */
  static final String KEYLESS = "public.visit";

  private Shop() {}
}
