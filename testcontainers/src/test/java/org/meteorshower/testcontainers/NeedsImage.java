/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import com.github.dockerjava.api.exception.NotFoundException;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Skips tests, and says why, where there is no Docker engine or no image in it. */
final class NeedsImage implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            return ConditionEvaluationResult.enabled("the class was");
        }
        String obstacle = obstacle();
        if (obstacle == null) {
            return ConditionEvaluationResult.enabled("the image is there");
        }
        // Maven shows no reason on the console.
        System.out.println(context.getDisplayName() + " is skipped: " + obstacle);
        return ConditionEvaluationResult.disabled(obstacle);
    }

    private static String obstacle() {
        try {
            if (!DockerClientFactory.instance().isDockerAvailable()) {
                return "no Docker engine answers (docs/CONTAINERS.md)";
            }
            DockerClientFactory.lazyClient()
                    .inspectImageCmd(MeteorShowerCluster.DEFAULT_IMAGE)
                    .exec();
            return null;
        } catch (NotFoundException e) {
            return "the Docker engine has no image " + MeteorShowerCluster.DEFAULT_IMAGE
                    + ": build it with ./meteor image";
        } catch (RuntimeException e) {
            // Within a container Testcontainers looks for the engine's address with an image that it pulls.
            return "Testcontainers cannot use the Docker engine (" + e.getMessage()
                    + "): within a container, or without a registry, set TESTCONTAINERS_HOST_OVERRIDE=localhost";
        }
    }
}
