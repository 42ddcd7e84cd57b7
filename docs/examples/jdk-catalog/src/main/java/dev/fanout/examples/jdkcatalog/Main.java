// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

/** Runs the example from start to end. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.out.println("hello from fanout");
    }
}
