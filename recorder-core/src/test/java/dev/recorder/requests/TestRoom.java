package dev.recorder.requests;

/** As much memory as a test says. */
public final class TestRoom implements MemoryReservation {
  /** For whoever has no limit to keep. */
  public static final MemoryReservation AMPLE = new TestRoom(true, true);

  private final boolean comes;
  private boolean isThere;
  private long asked;

  private TestRoom(boolean isThere, boolean comes) {
    this.isThere = isThere;
    this.comes = comes;
  }

  /** There is none, and none becomes free. */
  public static TestRoom none() {
    return new TestRoom(false, false);
  }

  /** There is enough for who waits for it. */
  public static TestRoom afterAWait() {
    return new TestRoom(false, true);
  }

  /** For how many bytes of payload it was asked last. */
  public long asked() {
    return asked;
  }

  @Override
  public boolean forPayloads(long bytes) {
    asked = bytes;
    return forDocument(bytes);
  }

  @Override
  public boolean isThereForDocument(long bytes) {
    return isThere;
  }

  @Override
  public boolean forDocument(long bytes) {
    isThere |= comes;
    return isThere;
  }
}
