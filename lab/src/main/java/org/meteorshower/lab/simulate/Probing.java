/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.Set;
import org.meteorshower.simulator.Probes;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts calls of {@link Probes} into the cores' classes while they are loaded: one at the beginning of each block of
 * code, and one where a core takes a step. A block begins where a method does, where a jump leads, and after a jump
 * that may be not taken; the compiler has noted a stack frame at each place where a jump leads. One thread at a time.
 */
final class Probing {
    private static final String PROBES = Probes.class.getName().replace('.', '/');

    /** Tells {@link Probes} of the classes that are loaded what a block is called. */
    interface Namer {
        void name(int block, long name);
    }

    private final Namer namer;
    private final Set<Long> common;
    private int blocks;

    /** @param common names of the blocks that nearly all runs have: they are not told of */
    Probing(Namer namer, Set<Long> common) {
        this.namer = namer;
        this.common = common;
    }

    /** Whether a class is of a core, and not of what runs it. */
    static boolean isOfACore(String name) {
        return name.startsWith("org.meteorshower.protocol.")
                || name.startsWith("org.meteorshower.atrest.")
                || (name.startsWith("org.meteorshower.transactions.")
                        && !name.startsWith("org.meteorshower.transactions.simulator.")
                        && !name.startsWith("org.meteorshower.transactions.codec."));
    }

    int blocks() {
        return blocks;
    }

    /** @throws IllegalStateException if the core has more blocks than {@link Probes} has room for */
    byte[] into(byte[] classfile) {
        ClassReader reader = new ClassReader(classfile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                        String method = reader.getClassName() + "." + name + descriptor;
                        boolean isStep = name.equals("step")
                                && descriptor.startsWith("(Lorg/meteorshower/")
                                && descriptor.contains("/Event;Lorg/meteorshower/protocol/Now;)");
                        // What runs once in all runs is of none.
                        return name.equals("<clinit>") ? next : new Blocks(next, method, isStep);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private int next(long name) {
        if (blocks == Probes.MOST_BLOCKS) {
            throw new IllegalStateException(
                    "the core has more than " + blocks + " blocks of code; Probes.MOST_BLOCKS must be larger");
        }
        namer.name(blocks, name);
        return blocks++;
    }

    /** SplitMix64's last step. */
    private static long spread(long value) {
        long z = (value + 0x9E3779B97F4A7C15L);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private final class Blocks extends MethodVisitor {
        private final String method;
        private final boolean isStep;
        private int place;
        private boolean begins;

        Blocks(MethodVisitor next, String method, boolean isStep) {
            super(Opcodes.ASM9, next);
            this.method = method;
            this.isStep = isStep;
        }

        private void before() {
            if (begins) {
                begins = false;
                long name = spread(31L * method.hashCode() + place++);
                if (!common.contains(name)) {
                    mv.visitLdcInsn(next(name));
                    mv.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "block", "(I)V", false);
                }
            }
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (isStep) {
                mv.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, "step", "()V", false);
            }
            begins = true;
        }

        @Override
        public void visitFrame(int type, int locals, Object[] local, int stack, Object[] held) {
            super.visitFrame(type, locals, local, stack, held);
            begins = true;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            before();
            super.visitJumpInsn(opcode, label);
            begins = opcode != Opcodes.GOTO;
        }

        @Override
        public void visitLabel(Label label) {
            before();
            super.visitLabel(label);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            // A frame may name the place of this NEW: what is not made yet is on the stack of a later block.
            if (opcode != Opcodes.NEW) {
                before();
            }
            super.visitTypeInsn(opcode, type);
            before();
        }

        @Override
        public void visitInsn(int opcode) {
            before();
            super.visitInsn(opcode);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            before();
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            before();
            super.visitVarInsn(opcode, variable);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String type) {
            before();
            super.visitFieldInsn(opcode, owner, name, type);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String type, boolean isInterface) {
            before();
            super.visitMethodInsn(opcode, owner, name, type, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String type, Handle bootstrap, Object... arguments) {
            before();
            super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
        }

        @Override
        public void visitLdcInsn(Object value) {
            before();
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            before();
            super.visitIincInsn(variable, increment);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label rest, Label... labels) {
            before();
            super.visitTableSwitchInsn(min, max, rest, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label rest, int[] keys, Label[] labels) {
            before();
            super.visitLookupSwitchInsn(rest, keys, labels);
        }
    }
}
