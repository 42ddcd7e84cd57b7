// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

/**
 * One class of the JDK: what the application keeps, and the facts of its events.
 *
 * @param id module and binary name, such as {@code java.base/java.util.Map$Entry}
 * @param module the module that it comes from
 * @param packageName the package that it is filed under
 * @param name its name within the package
 * @param kind class, interface, enum, record or annotation
 * @param size bytes of its class file
 */
record Asset(String id, String module, String packageName, String name, String kind, int size) {

    /** Files it under another package. */
    Asset movedTo(String other) {
        return new Asset(id, module, other, name, kind, size);
    }

    /** Says that it has another size. */
    Asset resized(int bytes) {
        return new Asset(id, module, packageName, name, kind, bytes);
    }
}
