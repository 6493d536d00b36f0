/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where tests leave what helps to understand a failure: histories and the nodes' logs. */
final class Reports {
    private Reports() {}

    static Path file(String name) throws IOException {
        return Files.createDirectories(Path.of("target", "faults")).resolve(name);
    }
}
