/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** Makes the counterexample of a finding that is a violation: evident ones as they are, others shrunk first. */
final class ViolationReport {
    /** A violation no larger than this is shrunk as a whole, which gives the smallest result. */
    private static final int SMALL = 300;

    private ViolationReport() {}

    static Counterexample of(Finding finding, History history, ProblemBuilder builder, CheckLimits limits) {
        if (finding.isEvident()) {
            return Explainer.ofCycle(finding);
        }
        int[] support = finding.problem().opNodes <= SMALL ? finding.problem().op : Support.of(finding);
        Shrinker shrinker = new Shrinker(history, builder, limits.shrinkChecks());
        int[] ops = shrinker.shrink(support);
        Finding shrunk = shrinker.finding(ops);
        if (shrunk.kind() == Finding.Kind.CYCLE) {
            return Explainer.ofSmallCycle(shrunk);
        }
        if (!shrunk.isViolation() && finding.kind() == Finding.Kind.CYCLE) {
            return Explainer.ofCycle(finding);
        }
        return Explainer.ofSet(ops);
    }
}
