package io.lockkeeper.examples.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.examples.store.BrokenRecords.Fault;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.store.RecordStoreContract;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract tells records that break a line of it from those that do not. */
class BrokenRecordsTest {

  /** Thrown by a test that does not apply to a store. */
  private static final Class<?> ABORTED = catchThrowable(() -> Assumptions.abort("")).getClass();

  /** The contract, on one store; not found as a test by itself. */
  private static final class Contract extends RecordStoreContract {
    private final Function<String, RecordStore> records;

    Contract(Function<String, RecordStore> records) {
      this.records = records;
    }

    @Override
    protected RecordStore open(String clientId) {
      return records.apply(clientId);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theContractNoticesWhatIsBroken(Fault fault) throws Exception {
    assertThat(broken(fault)).isNotEmpty();
  }

  @Test
  void eachFaultIsNoticedByTheTestOfItsLine() throws Exception {
    assertThat(broken(Fault.TWO_MOMENTS)).contains("aReadingIsOfOneMoment");
    assertThat(broken(Fault.VERSIONS_BEGIN_AGAIN))
        .contains("aRecordMadeAnewIsNotTheOneBefore", "anAbsenceIsNotAnotherAbsence");
    assertThat(broken(Fault.NO_CONDITION)).contains("ofManyChangesOfOneVersionOneIsMade");
    assertThat(broken(Fault.AN_EARLIER_READING)).contains("aReadingShowsWhatWasAnsweredBefore");
    assertThat(broken(Fault.ONLY_THE_FIRST))
        .contains("aConflictThatShowsARecordShowsWhatWasAskedForByName");
    assertThat(broken(Fault.HALF_A_CHANGE)).contains("aChangeOnAnotherVersionChangesNothing");
  }

  @Test
  void recordsThatAppendAsTheContractSaysKeepIt() throws Exception {
    assertThat(broken(() -> appending(null))).isEmpty();
  }

  /** Some are noticed by a wait in vain, so they run side by side. */
  @ParameterizedTest
  @EnumSource
  @Tag("full")
  @Execution(ExecutionMode.CONCURRENT)
  void aFaultOfAppendingIsNoticedByTheTestOfItsLine(RecordsThatAppend.Fault fault)
      throws Exception {
    Function<String, RecordStore> records = appending(fault);

    assertThat(fails(RecordStoreContract.class.getMethod(fault.test), records)).isTrue();
  }

  private static Function<String, RecordStore> appending(RecordsThatAppend.@Nullable Fault fault) {
    MapsServer server = new MapsServer("appending", System::nanoTime);
    RecordsThatAppend.Shared shared = new RecordsThatAppend.Shared();
    return client -> new RecordsThatAppend(server, client, shared, fault);
  }

  /** Returns the names of the tests that fail. */
  private static List<String> broken(Fault fault) throws IllegalAccessException {
    return broken(() -> new BrokenRecords(fault, System::nanoTime));
  }

  private static List<String> broken(Supplier<Function<String, RecordStore>> records)
      throws IllegalAccessException {
    List<String> failed = new ArrayList<>();
    for (Method test : RecordStoreContract.class.getMethods()) {
      if (test.isAnnotationPresent(Test.class) && fails(test, records.get())) {
        failed.add(test.getName());
      }
    }
    return failed;
  }

  private static boolean fails(Method test, Function<String, RecordStore> records)
      throws IllegalAccessException {
    Contract contract = new Contract(records);
    try {
      contract.begin();
      test.invoke(contract);
      return false;
    } catch (InvocationTargetException e) {
      return !ABORTED.isInstance(e.getCause());
    } finally {
      contract.end();
    }
  }
}
