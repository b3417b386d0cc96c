package dev.recorder.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore;
import dev.recorder.table.TableProof.TableVerdict;
import dev.recorder.table.parquet.ParquetFormat;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two hosts write the tables of one log, in turns or one in the midst of the other's work, while
 * their PUTs are refused, lost before or after they take effect, or take effect late, and while
 * hosts end in the midst of their work.
 */
class ChangeTablesFaultsTest {
  private static final int SEEDS = 60;
  private static final int TURNS = 12;
  private static final List<String> TABLES = List.of("public.a", "public.b");

  private final TableLog log = new TableLog();
  private final List<Runnable> late = new ArrayList<>();
  private Random random;
  private boolean faults = true;
  private boolean interrupts;
  private LogTable[] hosts;
  private long nextId = 1;

  /** Ends a host in the midst of its work. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  static IntStream seeds() {
    return IntStream.range(0, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachChangeIsInItsTableOnce(int seed) throws Exception {
    random = new Random(seed);
    hosts = new LogTable[] {host(0), host(1)};
    write(TABLES.stream().map(this::schema).toArray(HandoffRow[]::new));
    for (int turn = 0; turn < TURNS; turn++) {
      write(rows());
      work(random.nextInt(hosts.length));
      if (random.nextBoolean()) {
        late.forEach(Runnable::run);
        late.clear();
      }
    }
    faults = false;
    late.forEach(Runnable::run);
    for (int turn = 0; turn < 2; turn++) {
      update(hosts[random.nextInt(hosts.length)]); // The first may find what the other has written.
    }

    TableVerdict verdict = new TableProof(log.address(), new ParquetFormat()).run(1).orElseThrow();
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.covered()).isEqualTo(log.last());
    assertThat(verdict.changes()).containsExactlyInAnyOrderElementsOf(TABLES);
  }

  private void work(int host) {
    try {
      update(hosts[host]);
    } catch (TableException tellsOfTheFault) {
      // It goes on in its next turn.
    } catch (Killed killed) {
      hosts[host] = host(host);
    }
  }

  private void update(LogTable table) throws TableException {
    table.bringUpTo(1, log.last(), () -> true, bytes -> random.nextInt(3) > 0);
  }

  private LogTable host(int number) {
    LogAddress address = new LogAddress(faultyBucket(number), log.layout, TableLog.LOG);
    return new LogTable(address, TableLog.settings(1 << 20, ""), new ParquetFormat(), "host");
  }

  private void write(HandoffRow... rows) {
    log.write(TableLog.NOON, rows);
  }

  private HandoffRow[] rows() {
    return IntStream.rangeClosed(0, random.nextInt(4))
        .mapToObj(i -> random.nextInt(4) == 0 ? row("1") : change(random.nextInt(2)))
        .toArray(HandoffRow[]::new);
  }

  private HandoffRow change(int table) {
    return random.nextInt(8) == 0
        ? schema(TABLES.get(table))
        : row(
            "{\"by\":\"recorder_capture\",\"op\":\"insert\",\"table\":\"%s\",\"seq\":1,\"after\":{\"c1\":1}}"
                .formatted(TABLES.get(table)));
  }

  /** With one of a few columns, so that columns are added now and then. */
  private HandoffRow schema(String table) {
    return row(
        "{\"by\":\"recorder_capture\",\"op\":\"schema\",\"table\":\"%s\",\"seq\":1,\"columns\":[{\"name\":\"c%d\",\"type\":\"integer\"}]}"
            .formatted(table, 1 + random.nextInt(3)));
  }

  private HandoffRow row(String payload) {
    long id = nextId++;
    return new HandoffRow(id, 700 + id, 1_772_000_000_000_000L + id, "k", payload);
  }

  private DocumentStore faultyBucket(int host) {
    return (DocumentStore)
        Proxy.newProxyInstance(
            DocumentStore.class.getClassLoader(),
            new Class<?>[] {DocumentStore.class},
            (proxy, method, arguments) -> {
              boolean isPut = method.getName().equals("putIfAbsent");
              if (isPut && faults && !interrupts && random.nextInt(6) == 0) {
                interrupts = true;
                work(1 - host);
                interrupts = false;
              }
              int fault = isPut && faults ? random.nextInt(12) : -1;
              if (fault == 0) {
                throw new Killed();
              } else if (fault == 1) {
                return new ObjectStore.Unclear("refused", false);
              } else if (fault == 2) {
                Object[] copy = Arrays.copyOf(arguments, arguments.length);
                late.add(() -> call(method, copy));
                return new ObjectStore.Unclear("late", true);
              }
              Object answer = call(method, arguments);
              if (fault == 3) {
                return new ObjectStore.Unclear("lost", true);
              } else if (fault == 4) {
                throw new Killed();
              }
              return answer;
            });
  }

  private Object call(Method method, Object[] arguments) {
    try {
      return method.invoke(log.bucket, arguments);
    } catch (InvocationTargetException | IllegalAccessException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
