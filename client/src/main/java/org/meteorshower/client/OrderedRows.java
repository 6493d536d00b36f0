/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Rows of all pages, fetched as they are needed. Blocks the iterating thread at each page's end. Not thread-safe, like
 * the driver's own.
 */
final class OrderedRows implements ResultSet {

    private final Function<CompletionStage<AsyncResultSet>, AsyncResultSet> await;
    private final List<ExecutionInfo> infos = new ArrayList<>();
    private final Iterator<Row> rows = new Rows();
    private AsyncResultSet page;

    OrderedRows(AsyncResultSet first, Function<CompletionStage<AsyncResultSet>, AsyncResultSet> await) {
        this.page = first;
        this.await = await;
        infos.add(first.getExecutionInfo());
    }

    @Override
    public ColumnDefinitions getColumnDefinitions() {
        return page.getColumnDefinitions();
    }

    /** One for each page fetched so far. */
    @Override
    public List<ExecutionInfo> getExecutionInfos() {
        return infos;
    }

    @Override
    public boolean isFullyFetched() {
        return !page.hasMorePages();
    }

    @Override
    public int getAvailableWithoutFetching() {
        return page.remaining();
    }

    @Override
    public Iterator<Row> iterator() {
        return rows;
    }

    @Override
    public boolean wasApplied() {
        return page.wasApplied();
    }

    private final class Rows implements Iterator<Row> {

        @Override
        public boolean hasNext() {
            while (page.remaining() == 0 && page.hasMorePages()) {
                page = await.apply(page.fetchNextPage());
                infos.add(page.getExecutionInfo());
            }
            return page.remaining() > 0;
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException("All rows have been read");
            }
            return page.currentPage().iterator().next();
        }
    }
}
