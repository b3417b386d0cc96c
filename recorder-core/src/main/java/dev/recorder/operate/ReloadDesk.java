package dev.recorder.operate;

import java.util.Optional;

/** Where operators ask machines to read their files again. */
public final class ReloadDesk extends OrderDesk<ReloadOrder> {
  private final ReloadOrders orders;

  ReloadDesk(Asking session, ReloadOrders orders) {
    super(session, orders);
    this.orders = orders;
  }

  /**
   * Asks a machine to read its file again, on the session that it has now.
   *
   * @param file as the machine knows it
   * @return the order's number; empty if no machine has the name, or too many orders wait for it
   */
  public Optional<Long> order(OrderHead head, boolean dryRun, String file) {
    return ask(c -> orders.ask(c, head, dryRun, file));
  }
}
