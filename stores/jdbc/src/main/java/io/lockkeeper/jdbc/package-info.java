/** A store on PostgreSQL, MySQL, MariaDB, SQLite and H2, through JDBC. */
@NullMarked
package io.lockkeeper.jdbc;

import org.jspecify.annotations.NullMarked;
