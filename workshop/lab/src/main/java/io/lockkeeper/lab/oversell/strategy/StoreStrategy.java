package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.util.EnumSet;
import java.util.Set;

/** A strategy without a lock: one kind of store has other means against the conflict. */
abstract class StoreStrategy implements Strategy {

  private final String name;
  private final String summary;
  private final StoreKind kind;

  StoreStrategy(String name, String summary, StoreKind kind) {
    this.name = name;
    this.summary = summary;
    this.kind = kind;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String summary() {
    return summary;
  }

  @Override
  public final Scope scope() {
    return Scope.THE_STORE;
  }

  @Override
  public final Set<StoreKind> stores() {
    return EnumSet.of(kind);
  }
}
