/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cli;

import java.io.PrintWriter;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.top.TopCommand;
import picocli.CommandLine.Mixin;

/** {@code meteor top}. */
final class LocalTop extends TopCommand {
    @Mixin
    private ClusterPlace place = new ClusterPlace();

    LocalTop(PrintWriter out) {
        super(out);
    }

    @Override
    protected LocalCluster local() {
        return place.attach();
    }
}
