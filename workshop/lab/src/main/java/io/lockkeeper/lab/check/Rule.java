package io.lockkeeper.lab.check;

import java.util.List;

/** Looks at a story for one kind of broken promise. */
@FunctionalInterface
interface Rule {

  /** Returns what it found, under one or several promises. */
  List<RuleResult> check(Story story);
}
