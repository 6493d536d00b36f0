/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One page whose next page is fetched through the session. The driver would send the next request with a copy of this
 * one's payload, and so with a token that the session has passed by then.
 *
 * <p>Not thread-safe, like the driver's own.
 */
final class OrderedPage implements AsyncResultSet {

    private final AsyncResultSet page;
    private final Function<ByteBuffer, CompletionStage<AsyncResultSet>> fetch;

    /** @param fetch gets the page that a paging state stands for */
    OrderedPage(AsyncResultSet page, Function<ByteBuffer, CompletionStage<AsyncResultSet>> fetch) {
        this.page = page;
        this.fetch = fetch;
    }

    @Override
    public CompletionStage<AsyncResultSet> fetchNextPage() {
        ByteBuffer state = page.getExecutionInfo().getPagingState();
        if (state == null) {
            throw new IllegalStateException("This is the last page: ask hasMorePages() first");
        }
        return fetch.apply(state);
    }

    @Override
    public ColumnDefinitions getColumnDefinitions() {
        return page.getColumnDefinitions();
    }

    @Override
    public ExecutionInfo getExecutionInfo() {
        return page.getExecutionInfo();
    }

    @Override
    public int remaining() {
        return page.remaining();
    }

    @Override
    public Iterable<Row> currentPage() {
        return page.currentPage();
    }

    @Override
    public boolean hasMorePages() {
        return page.hasMorePages();
    }

    @Override
    public boolean wasApplied() {
        return page.wasApplied();
    }
}
