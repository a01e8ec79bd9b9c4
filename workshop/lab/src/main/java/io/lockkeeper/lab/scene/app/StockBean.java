package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.Article;

/** A strategy that is a bean, because it shows what a proxy around a bean does. */
interface StockBean {

  /** Sells one piece, if one is left; returns whether one was. */
  boolean sell(Article article);
}
