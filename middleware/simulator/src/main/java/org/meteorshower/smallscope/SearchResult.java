/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search found.
 *
 * @param complaint the first violation, of those after the fewest events; null where there is none
 * @param schedule the moves that lead to it, empty where there is none
 */
public record SearchResult(
        Scenario scenario,
        Bound bound,
        SearchFigures figures,
        @Nullable String complaint,
        List<Integer> schedule) {}
