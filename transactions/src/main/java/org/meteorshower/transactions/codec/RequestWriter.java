/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import org.meteorshower.transactions.log.Request;

/** Writes each kind of request as {@link LogCodec} reads it. Used by one thread. */
record RequestWriter(DataOut out) implements Request.Visitor<DataOut> {
    @Override
    public DataOut on(Request.Open open) {
        return out.u8(LogCodec.OPEN);
    }

    @Override
    public DataOut on(Request.Run run) {
        LogCodec.write(run.session(), out.u8(LogCodec.RUN));
        LanguageCodec.write(run.transaction(), out.varint(run.sequence()));
        return out;
    }

    @Override
    public DataOut on(Request.Once once) {
        LanguageCodec.write(once.transaction(), out.u8(LogCodec.ONCE));
        return out;
    }

    @Override
    public DataOut on(Request.Read read) {
        LanguageCodec.write(read.transaction(), out.u8(LogCodec.READ));
        return out;
    }

    @Override
    public DataOut on(Request.Resolve resolve) {
        LogCodec.write(resolve.session(), out.u8(LogCodec.RESOLVE));
        return out.varint(resolve.sequence());
    }

    @Override
    public DataOut on(Request.Expire expire) {
        LogCodec.write(expire.session(), out.u8(LogCodec.EXPIRE));
        return out.varint(expire.lastUsedVersion());
    }

    @Override
    public DataOut on(Request.ExpireRows expire) {
        out.u8(LogCodec.EXPIRE_ROWS).varint(expire.rows().size());
        expire.rows().forEach(row -> LanguageCodec.write(row, out));
        return out.varint(expire.byMillis());
    }
}
