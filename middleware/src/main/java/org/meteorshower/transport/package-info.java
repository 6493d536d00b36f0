/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Messages and calls between nodes over TCP, on a port of their own, with Netty.
 *
 * <p>Every pair of nodes has two connections, one opened by each; a node sends its messages and its calls on the one it
 * opened, and answers come back on the same. A connection begins with a handshake that shows who is at the other end;
 * after it every frame carries a tag made from the handshake's random numbers and the frame's place, so a frame that
 * was recorded is worth nothing later or elsewhere.
 */
@NullMarked
package org.meteorshower.transport;

import org.jspecify.annotations.NullMarked;
