// SPDX-License-Identifier: Apache-2.0
package dev.fanout.benchmarks;

import java.util.Arrays;
import java.util.List;

/** Medians and percentiles. */
final class Statistics {

    private Statistics() {}

    static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest value that at least this share of the values does not exceed. */
    static double percentile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
