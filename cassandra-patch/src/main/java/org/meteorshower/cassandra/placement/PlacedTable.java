/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.util.UUID;
import org.apache.cassandra.schema.TableId;

/**
 * A table whose partitions have a fixed place.
 *
 * @param id what the middleware calls it as long as its partitions stay there
 * @param ring a digest of that place; see {@link PlacementKeeper#ringOf}
 */
public record PlacedTable(UUID id, TableId table, GroupRules rules, String ring) {}
