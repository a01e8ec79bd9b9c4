/** A store on etcd. */
@NullMarked
package io.lockkeeper.etcd;

import org.jspecify.annotations.NullMarked;
