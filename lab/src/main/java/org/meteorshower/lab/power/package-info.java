/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Disks that forget what was not forced, and so what a loss of power does to nodes.
 *
 * <ul>
 *   <li>{@code Disks} is the model: files and folders as they are now, and beside it what is on the platter.
 *       {@code Content} is that of a file, {@code Inode} that of a file or folder, {@code Changes} what was done to
 *       folders and is not on the platter yet.
 *   <li>{@code FuseServer} shows it to processes as a file system of their own, by the kernel's FUSE protocol;
 *       {@code FuseCalls}, {@code Request}, {@code Reply} and {@code Operations} are the parts of that. It is a process
 *       of its own, {@code DiskProcess}.
 *   <li>{@code PowerDisks} is what the rest of the lab uses: it starts that process, and tells it when the power goes.
 * </ul>
 */
@NullMarked
package org.meteorshower.lab.power;

import org.jspecify.annotations.NullMarked;
