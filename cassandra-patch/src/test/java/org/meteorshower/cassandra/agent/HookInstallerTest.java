/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.agent.Agent.RefusedException;

class HookInstallerTest {
    /** Loads one class of Cassandra's as the installer leaves it, and so has the JVM verify it. */
    private static final class HookedLoader extends ClassLoader {
        private final String name;

        HookedLoader(String name) {
            super(HookInstallerTest.class.getClassLoader());
            this.name = name;
        }

        Class<?> hooked() throws IOException {
            String path = name.replace('.', '/');
            try (InputStream in = getResourceAsStream(path + ".class")) {
                byte[] hooked = new HookInstaller().transform(this, path, null, null, in.readAllBytes());
                Class<?> loaded = defineClass(name, hooked, 0, hooked.length);
                assertThat(loaded.getDeclaredMethods()).isNotEmpty(); // links it
                return loaded;
            }
        }
    }

    private static Class<?> hooked(String name) throws IOException {
        return new HookedLoader(name).hooked();
    }

    @Test
    void everyHookFindsItsPlaceInThisReleaseOfCassandra() throws IOException {
        Class<?> keyspaceHandler = hooked("org.apache.cassandra.db.CassandraKeyspaceWriteHandler");
        assertThat(OriginalWrite.class).isAssignableFrom(keyspaceHandler);
        assertThat(List.of(keyspaceHandler.getDeclaredMethods()))
                .anyMatch(method -> method.getName().equals(OriginalWrite.METHOD));
        hooked("org.apache.cassandra.db.CassandraTableWriteHandler");
        Class<?> logService = hooked("org.apache.cassandra.db.commitlog.AbstractCommitLogService");
        assertThat(OriginalWait.class).isAssignableFrom(logService);
        assertThat(List.of(logService.getDeclaredMethods()))
                .anyMatch(method -> method.getName().equals(OriginalWait.METHOD));
        hooked("org.apache.cassandra.db.lifecycle.Tracker");
        hooked("org.apache.cassandra.db.streaming.CassandraStreamReceiver");
        hooked("org.apache.cassandra.service.StorageProxy");
        hooked("org.apache.cassandra.service.StorageService");
        hooked("org.apache.cassandra.service.CassandraDaemon");
        assertThat(HookInstaller.INSTALLED).containsExactlyInAnyOrder(HookInstaller.Hook.values());
    }

    @Test
    void noOtherClassIsTouched() {
        assertThat(new HookInstaller().transform(null, "org/apache/cassandra/db/Keyspace", null, null, new byte[0]))
                .isNull();
    }

    @Test
    void onlyReleasesOf50FromTheFirstThatHasAllThatIsNeededAreAccepted() throws RefusedException {
        for (String good : List.of("5.0.2", "5.0.9", "5.0.12-SNAPSHOT")) {
            new CassandraRelease(good).check();
        }
        for (String bad :
                List.of("4.1.3", "5.0", "5.0.0", "5.0.1", "5.0-rc1", "5.1", "5.1.0", "6.0-alpha2", "50.1", "unknown")) {
            assertThatThrownBy(() -> new CassandraRelease(bad).check())
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(bad);
        }
    }

    @Test
    void theReleaseIsReadFromCassandrasJar() throws RefusedException {
        CassandraRelease release = CassandraRelease.read(getClass().getClassLoader());
        assertThat(release.version()).startsWith("5.0");
    }
}
