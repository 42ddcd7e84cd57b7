// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * What every store must do: the tests of each interface of {@code dev.fanout.spi}. Extend it, say how a database is
 * made, and run it with JUnit.
 *
 * @param <T> the transaction handle of the store
 */
@Timeout(120)
public abstract class StoreContract<T> {

    /** For subclasses. */
    protected StoreContract() {}

    /**
     * Makes an empty database, for one test.
     *
     * @return the harness; the contract closes it
     * @throws Exception any failure fails the test
     */
    protected abstract Harness<T> harness() throws Exception;

    /** Declarations, numbers and attachments. */
    @Nested
    class Opening extends OpenContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Versions, expectations, batches. */
    @Nested
    class Appending extends AppendContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Idempotency keys. */
    @Nested
    class Repeating extends KeyContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** State, tombstones, transactions. */
    @Nested
    class Finding extends EntityContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** From the outbox to the log. */
    @Nested
    class Publishing extends OutboxContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** What may not be missed, and when nothing may be published. */
    @Nested
    class Looking extends FrontierContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** The published streams. */
    @Nested
    class Reading extends LogContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Cursors and gates. */
    @Nested
    class Advancing extends CursorContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Transactional deliveries. */
    @Nested
    class Delivering extends DeliveryContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** What is set aside. */
    @Nested
    class SettingAside extends ParkedContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** What is passed on to a child stream. */
    @Nested
    class PassingOn extends ForwardContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Reading what is due. */
    @Nested
    class Delaying extends DelayContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Threads. */
    @Nested
    class RunningTogether extends PlatformContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Nodes and leases. */
    @Nested
    class Owning extends LeaseContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Children that come and go. */
    @Nested
    class Attaching extends AttachmentContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Old records that go. */
    @Nested
    class Retaining extends RetentionContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }

    /** Notifications and held lanes. */
    @Nested
    class Waking extends WakeContract<T> {
        @Override
        Harness<T> newHarness() throws Exception {
            return harness();
        }
    }
}
