// SPDX-License-Identifier: Apache-2.0
package dev.fanout;

import dev.fanout.Filter.Condition;
import dev.fanout.Filter.Operator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides about a payload by conditions on paths, in one pass over its text: the paths form a tree, which is walked along
 * with the document, and what no path leads to is skipped. Conditions are bits: a set of those that hold is a number.
 *
 * <p>As in {@code jsonb}, the last of repeated members counts: one that comes again takes back what an earlier one said.
 * Immutable.
 */
final class PayloadConditions {

    private static final String ROOT = "payload.";

    private final Node root = new Node();
    private final long all;

    /** A place in the document that a path leads to or through. */
    private static final class Node {
        private final Map<String, Node> members = new HashMap<>();
        private final List<Check> checks = new ArrayList<>();
        private long exists;
        private long below;
    }

    /** A condition that compares; text is kept without its quotes, as it is found. */
    private record Check(long bit, Set<String> texts, Set<String> literals) {}

    private PayloadConditions(List<Condition> conditions) {
        for (int i = 0; i < conditions.size(); i++) {
            add(conditions.get(i), 1L << i);
        }
        this.all = root.below;
    }

    /**
     * Makes them ready for use.
     *
     * @param conditions what has to hold, 64 conditions at the most
     * @return the conditions, ready for use
     */
    static PayloadConditions of(List<Condition> conditions) {
        return new PayloadConditions(conditions);
    }

    private void add(Condition condition, long bit) {
        Node node = root;
        node.below |= bit;
        for (String member : condition.path().substring(ROOT.length()).split("\\.", -1)) {
            node = node.members.computeIfAbsent(member, name -> new Node());
            node.below |= bit;
        }
        if (condition.operator() == Operator.EXISTS) {
            node.exists |= bit;
            return;
        }
        Set<String> texts = new HashSet<>();
        Set<String> literals = new HashSet<>();
        for (String value : condition.values()) {
            if (value.startsWith("\"")) {
                texts.add(new JsonReader(value).string());
            } else {
                literals.add(value);
            }
        }
        node.checks.add(new Check(bit, texts, literals));
    }

    /**
     * Decides.
     *
     * @param json the payload
     * @return whether all conditions hold
     * @throws dev.fanout.CodecException if there are conditions, and it is not JSON
     */
    boolean holds(String json) {
        return all == 0 || read(root, new JsonReader(json)) == all;
    }

    private static long read(Node node, JsonReader json) {
        return node.exists
                | switch (json.peek()) {
                    case '{' -> readMembers(node, json);
                    case '[' -> {
                        json.skip();
                        yield 0;
                    }
                    case '"' -> ofText(node, json);
                    default -> ofLiteral(node, json.literal());
                };
    }

    private static long readMembers(Node node, JsonReader json) {
        if (node.members.isEmpty()) {
            json.skip();
            return 0;
        }
        long held = 0;
        json.expect('{');
        if (json.take('}')) {
            return 0;
        }
        do {
            Node member = node.members.get(json.string());
            json.expect(':');
            if (member == null) {
                json.skip();
            } else {
                held = (held & ~member.below) | read(member, json);
            }
        } while (json.take(','));
        json.expect('}');
        return held;
    }

    private static long ofText(Node node, JsonReader json) {
        if (node.checks.isEmpty()) {
            json.skip();
            return 0;
        }
        String text = json.string();
        long held = 0;
        for (Check check : node.checks) {
            held |= check.texts.contains(text) ? check.bit : 0;
        }
        return held;
    }

    private static long ofLiteral(Node node, String literal) {
        if (node.checks.isEmpty()) {
            return 0;
        }
        String form = Character.isLetter(literal.charAt(0)) ? literal : Literals.number(literal);
        long held = 0;
        for (Check check : node.checks) {
            held |= check.literals.contains(form) ? check.bit : 0;
        }
        return held;
    }
}
