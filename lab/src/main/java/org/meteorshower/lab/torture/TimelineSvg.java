/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Draws what happened: a panel each for throughput, latencies, local reads and failures, the faults as bands over all.
 */
final class TimelineSvg {
    private final Timeline timeline;

    private TimelineSvg(Timeline timeline) {
        this.timeline = timeline;
    }

    static String of(Timeline timeline, List<FaultSpan> spans, String title) {
        List<PanelSvg.Band> bands = spans.stream()
                .map(span -> new PanelSvg.Band(span.startNanos() / 1e9, span.endNanos() / 1e9, span.title()))
                .toList();
        PanelSvg panels = new PanelSvg(timeline.seconds(), title, timeline.dcs(), bands, 5);
        new TimelineSvg(timeline).draw(panels);
        return panels.end();
    }

    private void draw(PanelSvg panels) {
        panels.linear("operations a second", 1, lines(false, cell -> cell.reads() + cell.writes()));
        panels.millis(
                "reads, ms: median, and 99th percentile dashed",
                both(cell -> cell.readMillis().at(50), cell -> cell.readMillis().at(99)));
        panels.millis(
                "writes, ms: median, and 99th percentile dashed",
                both(cell -> cell.writeMillis().at(50), cell -> cell.writeMillis()
                        .at(99)));
        panels.linear("share of reads served without a wait", 1, lines(false, Timeline.Cell::localShare));
        panels.linear("failures a second", 1, lines(false, Timeline.Cell::failed));
    }

    private List<PanelSvg.Line> both(ToDoubleFunction<Timeline.Cell> line, ToDoubleFunction<Timeline.Cell> dashed) {
        List<PanelSvg.Line> lines = new ArrayList<>(lines(false, line));
        lines.addAll(lines(true, dashed));
        return lines;
    }

    private List<PanelSvg.Line> lines(boolean dashed, ToDoubleFunction<Timeline.Cell> value) {
        List<PanelSvg.Line> lines = new ArrayList<>();
        for (int dc = 0; dc < timeline.dcs().size(); dc++) {
            lines.add(new PanelSvg.Line(
                    dc, dashed, timeline.of(dc).stream().mapToDouble(value).toArray()));
        }
        return lines;
    }
}
