package dev.recorder.producer.postgres;

import dev.recorder.store.DocumentStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/** A bucket into which one object is not put before it may. */
final class HeldBack {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final DocumentStore store;

  HeldBack(DocumentStore bucket, String key) {
    this.store =
        (DocumentStore)
            Proxy.newProxyInstance(
                DocumentStore.class.getClassLoader(),
                new Class<?>[] {DocumentStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("putIfAbsent") && arguments[0].equals(key)) {
                    reached.countDown();
                    released.await();
                  }
                  try {
                    return method.invoke(bucket, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  DocumentStore store() {
    return store;
  }

  /** Returns when somebody wants to put it. */
  void awaitReached() throws InterruptedException {
    reached.await();
  }

  void release() {
    released.countDown();
  }
}
