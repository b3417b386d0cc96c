package dev.recorder.operate;

import java.util.Optional;

/** Where operators ask machines to be drained and such. */
public final class HostDesk extends OrderDesk<HostOrder> {
  private final HostOrders orders;

  HostDesk(Asking session, HostOrders orders) {
    super(session, orders);
    this.orders = orders;
  }

  /**
   * Asks a machine for something, on the session that it has now.
   *
   * @param recorder which one it is about; empty if it is about all
   * @return the order's number; empty if no machine has the name, or too many orders wait for it
   */
  public Optional<Long> order(OrderHead head, HostOrder.HostWish wish, String recorder) {
    return ask(c -> orders.ask(c, head, wish, recorder));
  }
}
