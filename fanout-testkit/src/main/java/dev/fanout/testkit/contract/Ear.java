// SPDX-License-Identifier: Apache-2.0
package dev.fanout.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fanout.spi.Wakes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes down what it hears. */
final class Ear implements Wakes.Hearer {

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @Override
    public void appended(int lane) {
        heard.add("appended " + lane);
    }

    @Override
    public void published() {
        heard.add("published");
    }

    @Override
    public void released() {
        heard.add("released");
    }

    @Override
    public void asked() {
        heard.add("asked");
    }

    @Override
    public void connected() {
        heard.add("connected");
    }

    /** Waits for a wake, and returns what was heard before it. */
    List<String> until(String wake) throws InterruptedException {
        List<String> before = new ArrayList<>();
        while (true) {
            String next = heard.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("waiting for '%s' after %s", wake, before).isNotNull();
            if (wake.equals(next)) {
                return before;
            }
            before.add(next);
        }
    }
}
