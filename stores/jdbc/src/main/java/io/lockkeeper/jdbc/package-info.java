/** A store on PostgreSQL, MySQL, MariaDB and SQLite, through JDBC. */
@NullMarked
package io.lockkeeper.jdbc;

import org.jspecify.annotations.NullMarked;
