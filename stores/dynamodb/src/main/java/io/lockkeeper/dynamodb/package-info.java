/** A store on Amazon DynamoDB. */
@NullMarked
package io.lockkeeper.dynamodb;

import org.jspecify.annotations.NullMarked;
