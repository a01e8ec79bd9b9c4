package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.Article;
import io.lockkeeper.lab.oversell.Sale;

/** A strategy that is a bean, because it shows what a proxy around a bean does. */
interface StockBean {

  /** Sells one piece. */
  Sale sell(Article article);
}
