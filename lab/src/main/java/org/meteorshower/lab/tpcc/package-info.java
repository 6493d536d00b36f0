/* SPDX-License-Identifier: Apache-2.0 */
/**
 * TPC-C, apart from how a system runs it: how large it is, what is loaded, what terminals ask, what the five
 * transactions do, and what must hold in the end. By version 5.11 of the standard, to whose clauses comments refer.
 *
 * <p>{@code Inputs} draws a {@code TpccInput}, which a {@code Terminal} carries out in one or more {@code Unit}s: the
 * transactions that a {@code TpccClient} of a {@code TpccStore} runs. {@code Logic} says what a unit does, for stores
 * that can call it. {@code Population} makes the first {@code Row}s. {@code Conditions} judges an {@code Audit} of all
 * rows, and {@code Ledger} what was acknowledged.
 */
@NullMarked
package org.meteorshower.lab.tpcc;

import org.jspecify.annotations.NullMarked;
