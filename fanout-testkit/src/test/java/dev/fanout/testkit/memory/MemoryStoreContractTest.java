// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.memory;

import dev.fanout.testkit.contract.Harness;
import dev.fanout.testkit.contract.StoreContract;

class MemoryStoreContractTest extends StoreContract<MemoryTransaction> {

    @Override
    protected Harness<MemoryTransaction> harness() {
        return new MemoryHarness();
    }
}
