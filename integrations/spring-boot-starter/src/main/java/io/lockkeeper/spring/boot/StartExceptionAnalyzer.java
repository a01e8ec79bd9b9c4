package io.lockkeeper.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what was wrong and what to do in place of a stack trace. */
final class StartExceptionAnalyzer extends AbstractFailureAnalyzer<StartException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StartException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
  }
}
