/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.Locale;

/** The report's style sheet: light and dark, on paper, and on a phone. */
final class PageStyle {
    /** Far enough apart for most eyes, in this order. */
    private static final String[] LIGHT = {
        "#7a7f87", "#d1701f", "#1f6fd6", "#1b9275", "#8a56c9", "#c9375f", "#8c6d1f", "#0c8fb3", "#b04a9c", "#5b7a1e",
        "#a0522d", "#444c9c"
    };

    private static final String[] DARK = {
        "#a7adb6", "#f09a4e", "#6aa9f7", "#4fc3a3", "#b893ea", "#f27a97", "#cfae52", "#54c4e6", "#e08bd0", "#a3c45a",
        "#d98f66", "#98a1ee"
    };

    private static final String RULES = """
            :root { --ink: #1c1f24; --soft: #5d6470; --page: #ffffff; --card: #f6f7f9; --rule: #dfe3e8; --accent: #1f6fd6; LIGHT }
            @media (prefers-color-scheme: dark) {
              :root { --ink: #e4e7ec; --soft: #9aa3b0; --page: #14171c; --card: #1c2027; --rule: #333a45; --accent: #6aa9f7; DARK }
            }
            * { box-sizing: border-box; }
            body { margin: 0 auto; padding: 1.2rem 1rem 3rem; max-width: 74rem; color: var(--ink); background: var(--page);
              font: 16px/1.5 system-ui, sans-serif; }
            h1 { font-size: 1.55rem; line-height: 1.25; margin: .4rem 0 .6rem; }
            h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem; padding-top: .8rem; border-top: 1px solid var(--rule); }
            h3 { font-size: 1rem; margin: 1.3rem 0 .4rem; }
            p, li { max-width: 46rem; }
            .soft, figcaption { color: var(--soft); font-size: .88rem; }
            .warn { border-left: 4px solid #d1701f; background: var(--card); padding: .5rem .8rem; }
            .scroll { overflow-x: auto; margin: .5rem 0; }
            table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; min-width: 100%; }
            th, td { padding: .3rem .5rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--rule); white-space: nowrap; }
            th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
            th:first-child, td:first-child { text-align: left; }
            td.ours { font-weight: 600; }
            td .soft { display: block; font-size: .82rem; }
            .charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
            .charts > figure:only-child { max-width: 34rem; }
            figcaption { margin-top: .4rem; } figcaption code { overflow-wrap: anywhere; font-size: .78rem; }
            figure { margin: 0; padding: .8rem; background: var(--card); border-radius: .5rem; break-inside: avoid; }
            svg { display: block; width: 100%; height: auto; font-family: system-ui, sans-serif; }
            svg text { fill: var(--ink); font-size: 12px; }
            svg .title { font-weight: 600; font-size: 13px; }
            svg .tick { fill: var(--soft); font-size: 11px; }
            svg .value { font-weight: 600; }
            svg .grid { stroke: var(--rule); stroke-width: 1; }
            svg .curve { fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linejoin: round; }
            svg .whisker { stroke: currentColor; stroke-width: 1.3; }
            svg .median { stroke: currentColor; stroke-width: 3; }
            svg .box { fill: currentColor; fill-opacity: .35; stroke: currentColor; }
            svg .dot { fill: currentColor; }
            svg .nodes, .key.nodes { fill: #8aa4c8; background: #8aa4c8; }
            svg .client, .key.client { fill: #b9a6d6; background: #b9a6d6; }
            svg .foreign, .key.foreign { fill: #e0655a; background: #e0655a; }
            .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .88rem; margin: .6rem 0; padding: 0; list-style: none; }
            .key { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; margin-right: .35rem;
              vertical-align: -.08rem; background: currentColor; }
            pre { overflow-x: auto; background: var(--card); padding: .8rem; border-radius: .5rem; font-size: .82rem; }
            code { font-size: .92em; }
            CLASSES
            @media print { body { max-width: none; font-size: 11pt; } figure, pre { background: none; border: 1px solid #ccc; } h2 { break-after: avoid; } }
            """;

    private PageStyle() {}

    static String text() {
        StringBuilder light = new StringBuilder();
        StringBuilder dark = new StringBuilder();
        StringBuilder classes = new StringBuilder();
        for (int i = 0; i < LIGHT.length; i++) {
            light.append(String.format(Locale.ROOT, "--c%d: %s; ", i, LIGHT[i]));
            dark.append(String.format(Locale.ROOT, "--c%d: %s; ", i, DARK[i]));
            classes.append(String.format(Locale.ROOT, ".s%d { color: var(--c%d); }%n", i, i));
        }
        return RULES.replace("LIGHT", light).replace("DARK", dark).replace("CLASSES", classes);
    }
}
