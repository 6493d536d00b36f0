/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.Arrays;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A small change of a method's code, made while its class is loaded. Only straight-line code is changed, so the stack
 * frames that the compiler noted stay right.
 */
interface Edit {
    /** Constant that stands for an empty list. */
    Object EMPTY_LIST = new Object();

    /** Constant that stands for an empty map. */
    Object EMPTY_MAP = new Object();

    /** Constant that stands for null. */
    Object NULL = new Object();

    /** Stands for what a method gives that gives nothing. */
    Object NOTHING = new Object();

    /**
     * The visitor that rewrites the method on its way to {@code next}.
     *
     * @param done to be run each time that something was changed
     */
    MethodVisitor over(MethodVisitor next, String descriptor, Runnable done);

    /** The method does nothing but return this: a Boolean, an Integer, a Long, or NOTHING. */
    static Edit bodyGives(Object constant) {
        return (next, descriptor, done) -> new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitCode() {
                next.visitCode();
                push(next, constant);
                next.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
                next.visitMaxs(0, 0);
                next.visitEnd();
                done.run();
            }
        };
    }

    /** The calls of this method are left out, and give this instead. */
    static Edit callGives(String owner, String method, Object constant) {
        return eachCall(owner, method, (next, descriptor, isStatic) -> {
            dropArguments(next, descriptor, isStatic, 0);
            push(next, constant);
        });
    }

    /** The calls of this static method are left out, and give their first argument instead. */
    static Edit callGivesFirstArgument(String owner, String method) {
        return eachCall(owner, method, (next, descriptor, isStatic) -> dropArguments(next, descriptor, true, 1));
    }

    /**
     * The calls of this method, which takes nothing, are left out; a field of the method's own class is given instead.
     */
    static Edit callGivesField(String owner, String method, String fieldOwner, String field, String type) {
        return eachCall(owner, method, (next, descriptor, isStatic) -> {
            dropArguments(next, descriptor, isStatic, 0);
            next.visitVarInsn(Opcodes.ALOAD, 0);
            next.visitFieldInsn(Opcodes.GETFIELD, internal(fieldOwner), field, type);
        });
    }

    /** The calls of this method, which gives nothing, are left out; its last argument, a Runnable, is run at once. */
    static Edit callRunsLastArgument(String owner, String method) {
        return eachCall(owner, method, (next, descriptor, isStatic) -> {
            next.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/lang/Runnable", "run", "()V", true);
            Type[] arguments = Type.getArgumentTypes(descriptor);
            String others = Type.getMethodDescriptor(Type.VOID_TYPE, Arrays.copyOf(arguments, arguments.length - 1));
            dropArguments(next, others, isStatic, 0);
        });
    }

    /** The calls of this method are left out, and give what the machine's clock says. */
    static Edit callGivesTheTime(String owner, String method) {
        return eachCall(owner, method, (next, descriptor, isStatic) -> {
            dropArguments(next, descriptor, isStatic, 0);
            next.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false);
        });
    }

    /** Reads of this field of the method's own class give this instead. */
    static Edit fieldGives(String field, Object constant) {
        return (next, descriptor, done) -> new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String type) {
                if (opcode == Opcodes.GETFIELD && name.equals(field)) {
                    visitInsn(Opcodes.POP);
                    push(this, constant);
                    done.run();
                } else {
                    super.visitFieldInsn(opcode, owner, name, type);
                }
            }
        };
    }

    /** The method does not set this field: it keeps 0, false or null. */
    static Edit fieldNotSet(String field) {
        return (next, descriptor, done) -> new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitFieldInsn(int opcode, String owner, String name, String type) {
                if (opcode == Opcodes.PUTFIELD && name.equals(field)) {
                    visitInsn(Type.getType(type).getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
                    visitInsn(Opcodes.POP);
                    done.run();
                } else {
                    super.visitFieldInsn(opcode, owner, name, type);
                }
            }
        };
    }

    /** What stands in a call's place. */
    interface Replacement {
        void write(MethodVisitor next, String descriptor, boolean isStatic);
    }

    private static Edit eachCall(String owner, String method, Replacement replacement) {
        return (next, descriptor, done) -> new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitMethodInsn(int opcode, String called, String name, String signature, boolean isInterface) {
                if (called.equals(internal(owner)) && name.equals(method)) {
                    replacement.write(next, signature, opcode == Opcodes.INVOKESTATIC);
                    done.run();
                } else {
                    super.visitMethodInsn(opcode, called, name, signature, isInterface);
                }
            }
        };
    }

    /** Takes the arguments off the stack, but for the first few, and then what was called. */
    private static void dropArguments(MethodVisitor next, String descriptor, boolean isStatic, int keep) {
        Type[] arguments = Type.getArgumentTypes(descriptor);
        for (int i = arguments.length - 1; i >= keep; i--) {
            next.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
        }
        if (!isStatic) {
            next.visitInsn(Opcodes.POP);
        }
    }

    private static void push(MethodVisitor next, Object constant) {
        if (constant == EMPTY_LIST) {
            next.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/List", "of", "()Ljava/util/List;", true);
        } else if (constant == EMPTY_MAP) {
            next.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/Map", "of", "()Ljava/util/Map;", true);
        } else if (constant == NULL) {
            next.visitInsn(Opcodes.ACONST_NULL);
        } else if (constant instanceof Boolean truth) {
            next.visitInsn(truth ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
        } else if (constant != NOTHING) {
            next.visitLdcInsn(constant);
        }
    }

    /** The core's classes by their simple names, others by their full ones. */
    static String internal(String name) {
        return name.indexOf('.') >= 0 ? name.replace('.', '/') : "org/meteorshower/protocol/" + name;
    }
}
