/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.arguments;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** What the nodes that a command starts have in their meteorshower.yaml besides the usual. */
public final class PluginArguments {
    @Option(
            names = "--plugin-option",
            paramLabel = "KEY=VALUE",
            description = "a line for meteorshower.yaml; a dot in KEY nests; may be repeated")
    private Map<String, String> options = new LinkedHashMap<>();

    public Map<String, String> options() {
        return options;
    }
}
