// SPDX-License-Identifier: Apache-2.0
/** The engine on the in-memory store: with real threads, and in virtual time where the moment matters. */
package dev.fanout.testkit.engine;
