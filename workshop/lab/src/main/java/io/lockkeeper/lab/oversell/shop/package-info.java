/**
 * The shop: where the stock and the orders are kept. A new store implements Shop and Till and is
 * listed in Shops.
 */
@NullMarked
package io.lockkeeper.lab.oversell.shop;

import org.jspecify.annotations.NullMarked;
