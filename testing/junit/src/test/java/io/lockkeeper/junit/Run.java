package io.lockkeeper.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * What came of the tests of a class.
 *
 * @param results the messages of those that failed, and nothing for the others, by their names
 */
record Run(Map<String, String> results) {

  static Run of(Class<?> tests, String... parameters) {
    Map<String, String> results = new ConcurrentHashMap<>();
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests));
    for (int i = 0; i < parameters.length; i += 2) {
      request.configurationParameter(parameters[i], parameters[i + 1]);
    }
    LauncherDiscoveryRequest built = request.build();
    LauncherFactory.create()
        .execute(
            built,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getThrowable().isPresent()) {
                  results.put(
                      test.getDisplayName().replace("()", "").replaceAll("\\(.*", ""),
                      result.getThrowable().map(String::valueOf).orElse(""));
                }
              }
            });
    return new Run(new TreeMap<>(results));
  }

  Map<String, String> failures() {
    Map<String, String> failures = new TreeMap<>(results);
    failures.values().removeIf(String::isEmpty);
    return failures;
  }

  int succeeded() {
    return results.size() - failures().size();
  }
}
