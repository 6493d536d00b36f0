/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code meteor torture}: faults on real nodes under load, and what became of the promises. There are two kinds of
 * runs, of reads and writes ({@code Read…}) and of transactions ({@code Transaction…}); a third, of sizes, is the
 * package below.
 *
 * <ul>
 *   <li>What both kinds have alike is {@code Torture…}: the command's options, one run from nodes to verdict, the
 *       clients and their threads, what is counted, the report. Each kind extends these by only what differs.
 *   <li>Faults: {@code FaultKind} lists them, {@code FaultPlan} draws them, {@code FaultRunner} makes them happen. What
 *       it needs besides processes and links is an {@code Operator}.
 *   <li>Where faults are named, an operator changes the ring and enables tables besides ({@code ChangeOperator}), and
 *       {@code StockClients} work beside the checked sessions. What of theirs failed is attributed to a fault in a
 *       {@code FaultRow}; {@code PlainToo} says what plain Cassandra would have refused as well; the rows are a
 *       {@code Watch}.
 *   <li>A client asks by a {@code ReadClient} or a {@code Teller}. What must hold in the end: {@code ReadEnd},
 *       {@code TransactionEnd}.
 *   <li>Figures: each operation is a {@code Sample}; of these come the {@code Effect} of each fault, and the
 *       {@code Timeline}, drawn by {@code TimelineSvg} with {@code PanelSvg}.
 * </ul>
 */
@NullMarked
package org.meteorshower.lab.torture;

import org.jspecify.annotations.NullMarked;
