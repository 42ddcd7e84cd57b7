/** What every store must pass. Start at {@code StoreContract}. */
@NullMarked
package dev.fanout.testkit.contract;

import org.jspecify.annotations.NullMarked;
