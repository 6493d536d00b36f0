/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.service.ClientState;

/**
 * What a SELECT of named partitions asks for, and who asks. Whoever makes one has authorized and validated the
 * statement.
 *
 * @param unmask whether the client may see masked columns as they are
 */
public record RowsAsked(SelectStatement select, QueryOptions options, ClientState client, boolean unmask) {}
