package com.example.shop;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import dev.recorder.requests.WorkUnit;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Keeps balances in a database of its own and counts each request once.
 *
 * <p>Its tables: {@code done (request bigint PRIMARY KEY)} and {@code customer (entity text PRIMARY
 * KEY, fence bigint NOT NULL, balance bigint NOT NULL DEFAULT 0)}.
 */
public final class Balances implements RequestHandlerProvider {
  private static final String CLAIM =
      "INSERT INTO customer AS c (entity, fence) VALUES (?, ?) ON CONFLICT (entity)"
          + " DO UPDATE SET fence = excluded.fence WHERE c.fence <= excluded.fence";
  private static final String ADD =
      "WITH fresh AS (INSERT INTO done VALUES (?) ON CONFLICT DO NOTHING RETURNING 1)"
          + " UPDATE customer SET balance = balance + (?::json ->> 'amount')::bigint"
          + " FROM fresh WHERE entity = ?";

  @Override
  public String name() {
    return "balances";
  }

  @Override
  public RequestHandler create(RecorderName recorder) {
    String url = System.getProperty("balances.url");
    return unit -> work(url, unit);
  }

  private static Outcome work(String url, WorkUnit unit) {
    try (Connection db = DriverManager.getConnection(url);
        PreparedStatement claim = db.prepareStatement(CLAIM);
        PreparedStatement add = db.prepareStatement(ADD)) {
      db.setAutoCommit(false);
      claim.setString(1, unit.entity());
      claim.setLong(2, unit.fence());
      if (claim.executeUpdate() == 0) {
        return new Outcome.Retry("a later unit was here");
      }
      for (Request request : unit.requests()) {
        add.setLong(1, request.id());
        add.setString(2, request.payload());
        add.setString(3, unit.entity());
        add.executeUpdate();
      }
      db.commit();
      return new Outcome.Complete();
    } catch (SQLException e) {
      boolean badData = e.getSQLState() != null && e.getSQLState().matches("2[23].*");
      return badData ? new Outcome.Failed(e.getMessage()) : new Outcome.Retry(e.getMessage());
    }
  }
}
