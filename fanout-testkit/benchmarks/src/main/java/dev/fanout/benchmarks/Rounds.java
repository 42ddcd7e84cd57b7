// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What each way measured in each round. */
final class Rounds {

    private final Map<Ways, List<Double>> values = new EnumMap<>(Ways.class);

    void add(Ways way, double value) {
        values.computeIfAbsent(way, any -> new ArrayList<>()).add(value);
    }

    double median(Ways way) {
        return Statistics.median(of(way));
    }

    double worst(Ways way) {
        return of(way).stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** The median of the rounds' own ratios, so that what slows a whole round counts in neither direction. */
    double medianRatio(Ways way, Ways beside) {
        List<Double> numerators = of(way);
        List<Double> denominators = of(beside);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < numerators.size(); round++) {
            ratios.add(numerators.get(round) / denominators.get(round));
        }
        return Statistics.median(ratios);
    }

    private List<Double> of(Ways way) {
        return values.getOrDefault(way, List.of());
    }
}
