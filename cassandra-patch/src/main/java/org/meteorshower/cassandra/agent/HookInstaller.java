/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts a few calls into Cassandra's classes as they are loaded; nothing else is changed.
 *
 * <ul>
 *   <li>{@code CassandraKeyspaceWriteHandler.beginWrite}: where every mutation passes, whichever way it came, before
 *       the commit log. Its body moves to {@link OriginalWrite#meteorshowerBeginWrite}, and {@link Hooks#beginWrite}
 *       stands in its place.
 *   <li>{@code CassandraTableWriteHandler.write}: at its end the update is in the memtable.
 *   <li>{@code AbstractCommitLogService.finishWriteFor}: where the thread that has put a mutation into the commit log
 *       waits for the disk. Its body moves to {@link OriginalWait#METHOD}, and {@link Hooks#logged} stands in its
 *       place.
 *   <li>{@code Tracker.addSSTables}: data comes in past the memtables, by a stream or an import; and
 *       {@code CassandraStreamReceiver.finished}: whose stream it is.
 *   <li>{@code StorageProxy.submitHint}: a hint is about to be kept for nodes; {@link Hooks#hinted} says for which.
 *   <li>{@code StorageService.initServer}: at its start the commit log has been replayed and no message from another
 *       node has been accepted yet: {@code Node.start} runs there.
 *   <li>{@code CassandraDaemon.startClientTransports}: at its start no client has been accepted yet:
 *       {@code Node.awaitCaughtUp} runs there.
 * </ul>
 *
 * <p>No plug point of Cassandra's is early enough: a storage hook fires after the memtable, a message sink does not see
 * local writes, hints' and batches' replay, or Paxos commits. What was found is noted; a node where a hook is missing
 * does not start. Nothing here may load a class of Cassandra's.
 */
final class HookInstaller implements ClassFileTransformer {
    /** The places where Cassandra calls. */
    enum Hook {
        BEGIN_WRITE,
        WRITTEN,
        LOGGED,
        STREAMED_IN,
        SENDER_KNOWN,
        HINTED,
        JOINING,
        OPENING
    }

    static final Set<Hook> INSTALLED = Collections.synchronizedSet(EnumSet.noneOf(Hook.class));

    private static final String HOOKS = "org/meteorshower/cassandra/agent/Hooks";
    private static final String NODE = "org/meteorshower/cassandra/node/Node";
    private static final String ORIGINAL = "org/meteorshower/cassandra/agent/OriginalWrite";
    private static final String WAIT = "org/meteorshower/cassandra/agent/OriginalWait";
    private static final String LOG_SERVICE = "org/apache/cassandra/db/commitlog/AbstractCommitLogService";
    private static final String LOGGED = "org/apache/cassandra/db/commitlog/CommitLogSegment$Allocation";
    private static final String MUTATION = "org/apache/cassandra/db/Mutation";
    private static final String WRITE_CONTEXT = "org/apache/cassandra/db/WriteContext";
    private static final String HANDLER = "org/apache/cassandra/service/AbstractWriteResponseHandler";
    private static final String TRACKER = "org/apache/cassandra/db/lifecycle/Tracker";
    private static final String RECEIVER = "org/apache/cassandra/db/streaming/CassandraStreamReceiver";
    private static final String SESSION = "org/apache/cassandra/streaming/StreamSession";
    private static final String TARGETS = "org/apache/cassandra/locator/EndpointsForToken";
    private static final String UPDATE = "org/apache/cassandra/db/partitions/PartitionUpdate";

    @Override
    public byte @Nullable [] transform(
            ClassLoader loader,
            String className,
            @Nullable Class<?> redefined,
            ProtectionDomain domain,
            byte[] classfile) {
        if (className == null) {
            return null;
        }
        return switch (className) {
            case "org/apache/cassandra/db/CassandraKeyspaceWriteHandler" ->
                rewrite(classfile, HookInstaller::hookBeginWrite);
            case "org/apache/cassandra/db/CassandraTableWriteHandler" -> rewrite(classfile, HookInstaller::hookWrite);
            case LOG_SERVICE -> rewrite(classfile, HookInstaller::hookFinishWrite);
            case "org/apache/cassandra/db/lifecycle/Tracker" -> rewrite(classfile, HookInstaller::hookAddSSTables);
            case RECEIVER -> rewrite(classfile, HookInstaller::hookFinished);
            case "org/apache/cassandra/service/StorageProxy" -> rewrite(classfile, HookInstaller::hookSubmitHint);
            case "org/apache/cassandra/service/StorageService" ->
                rewrite(classfile, writer -> callingAtStartOf(writer, "initServer", "(II)V", "start", Hook.JOINING));
            case "org/apache/cassandra/service/CassandraDaemon" ->
                rewrite(
                        classfile,
                        writer -> callingAtStartOf(
                                writer, "startClientTransports", "()V", "awaitCaughtUp", Hook.OPENING));
            default -> null;
        };
    }

    private interface Rewriting {
        ClassVisitor over(ClassWriter writer);
    }

    private static byte[] rewrite(byte[] classfile, Rewriting rewriting) {
        ClassReader reader = new ClassReader(classfile);
        // What is added begins and ends with the frame that is there anyway, so those that are there stay right.
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(rewriting.over(writer), 0);
        return writer.toByteArray();
    }

    /** Gives the class one interface more. */
    private static class Implementing extends ClassVisitor {
        private final String added;

        Implementing(ClassWriter writer, String added) {
            super(Opcodes.ASM9, writer);
            this.added = added;
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            String[] extended = java.util.Arrays.copyOf(interfaces, interfaces.length + 1);
            extended[interfaces.length] = added;
            super.visit(version, access, name, signature, superName, extended);
        }
    }

    private static ClassVisitor hookBeginWrite(ClassWriter writer) {
        String descriptor = "(L" + MUTATION + ";Z)L" + WRITE_CONTEXT + ";";
        return new Implementing(writer, ORIGINAL) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access, String name, String desc, String signature, String[] exceptions) {
                if (!name.equals("beginWrite") || !desc.equals(descriptor)) {
                    return super.visitMethod(access, name, desc, signature, exceptions);
                }
                MethodVisitor stand = super.visitMethod(access, name, desc, signature, exceptions);
                stand.visitCode();
                stand.visitVarInsn(Opcodes.ALOAD, 0);
                stand.visitVarInsn(Opcodes.ALOAD, 1);
                stand.visitVarInsn(Opcodes.ILOAD, 2);
                stand.visitMethodInsn(
                        Opcodes.INVOKESTATIC,
                        HOOKS,
                        "beginWrite",
                        "(L" + ORIGINAL + ";L" + MUTATION + ";Z)L" + WRITE_CONTEXT + ";",
                        false);
                stand.visitInsn(Opcodes.ARETURN);
                stand.visitMaxs(0, 0);
                stand.visitEnd();
                INSTALLED.add(Hook.BEGIN_WRITE);
                return super.visitMethod(Opcodes.ACC_PUBLIC, OriginalWrite.METHOD, desc, signature, exceptions);
            }
        };
    }

    private static ClassVisitor hookFinishWrite(ClassWriter writer) {
        String moved = "meteorshowerFinishWriteFor";
        String descriptor = "(L" + LOGGED + ";)V";
        return new Implementing(writer, WAIT) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access, String name, String desc, String signature, String[] exceptions) {
                MethodVisitor stand = super.visitMethod(access, name, desc, signature, exceptions);
                if (!name.equals("finishWriteFor") || !desc.equals(descriptor)) {
                    return stand;
                }
                stand.visitCode();
                stand.visitVarInsn(Opcodes.ALOAD, 0);
                stand.visitVarInsn(Opcodes.ALOAD, 1);
                String hook = "(L" + WAIT + ";Ljava/lang/Object;)V";
                stand.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "logged", hook, false);
                end(stand);
                // What was logged has a type that is not known outside of its package.
                MethodVisitor wait =
                        super.visitMethod(Opcodes.ACC_PUBLIC, OriginalWait.METHOD, "(Ljava/lang/Object;)V", null, null);
                wait.visitCode();
                wait.visitVarInsn(Opcodes.ALOAD, 0);
                wait.visitVarInsn(Opcodes.ALOAD, 1);
                wait.visitTypeInsn(Opcodes.CHECKCAST, LOGGED);
                wait.visitMethodInsn(Opcodes.INVOKEVIRTUAL, LOG_SERVICE, moved, descriptor, false);
                end(wait);
                INSTALLED.add(Hook.LOGGED);
                return super.visitMethod(Opcodes.ACC_PUBLIC, moved, desc, signature, exceptions);
            }
        };
    }

    private static void end(MethodVisitor method) {
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 0);
        method.visitEnd();
    }

    private static ClassVisitor hookWrite(ClassWriter writer) {
        String descriptor = "(L" + UPDATE + ";L" + WRITE_CONTEXT + ";Z)V";
        return new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access, String name, String desc, String signature, String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, desc, signature, exceptions);
                if (!name.equals("write") || !desc.equals(descriptor)) {
                    return method;
                }
                INSTALLED.add(Hook.WRITTEN);
                return new MethodVisitor(Opcodes.ASM9, method) {
                    @Override
                    public void visitInsn(int opcode) {
                        if (opcode == Opcodes.RETURN) {
                            visitVarInsn(Opcodes.ALOAD, 1);
                            visitVarInsn(Opcodes.ALOAD, 2);
                            visitMethodInsn(
                                    Opcodes.INVOKESTATIC,
                                    HOOKS,
                                    "written",
                                    "(L" + UPDATE + ";L" + WRITE_CONTEXT + ";)V",
                                    false);
                        }
                        super.visitInsn(opcode);
                    }
                };
            }
        };
    }

    /**
     * Both streaming and the import of files end here; what this node's own memtables and compactions write does not.
     */
    private static ClassVisitor hookAddSSTables(ClassWriter writer) {
        return new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access, String name, String desc, String signature, String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, desc, signature, exceptions);
                // The second until Cassandra 5.0.3.
                boolean known = desc.equals("(Ljava/util/Collection;)V") || desc.equals("(Ljava/lang/Iterable;)V");
                if (!name.equals("addSSTables") || !known) {
                    return method;
                }
                INSTALLED.add(Hook.STREAMED_IN);
                return new MethodVisitor(Opcodes.ASM9, method) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        visitVarInsn(Opcodes.ALOAD, 0);
                        visitVarInsn(Opcodes.ALOAD, 1);
                        call("foreignDataComing", "(L" + TRACKER + ";Ljava/lang/Iterable;)V");
                    }

                    @Override
                    public void visitInsn(int opcode) {
                        if (opcode == Opcodes.RETURN) {
                            visitVarInsn(Opcodes.ALOAD, 0);
                            call("foreignDataCame", "(L" + TRACKER + ";)V");
                        }
                        super.visitInsn(opcode);
                    }

                    private void call(String hook, String descriptor) {
                        visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, descriptor, false);
                    }
                };
            }
        };
    }

    /** What a stream has brought is added on the thread that runs this: it is told first whose stream it is. */
    private static ClassVisitor hookFinished(ClassWriter writer) {
        return new ClassVisitor(Opcodes.ASM9, writer) {
            private boolean hasSession;

            @Override
            public FieldVisitor visitField(int access, String name, String desc, String signature, Object value) {
                hasSession |= name.equals("session") && desc.equals("L" + SESSION + ";");
                return super.visitField(access, name, desc, signature, value);
            }

            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access, String name, String desc, String signature, String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, desc, signature, exceptions);
                if (!name.equals("finished") || !desc.equals("()V") || !hasSession) {
                    return method;
                }
                INSTALLED.add(Hook.SENDER_KNOWN);
                return tellingWhose(method);
            }
        };
    }

    private static MethodVisitor tellingWhose(MethodVisitor method) {
        return new MethodVisitor(Opcodes.ASM9, method) {
            @Override
            public void visitCode() {
                super.visitCode();
                visitVarInsn(Opcodes.ALOAD, 0);
                visitFieldInsn(Opcodes.GETFIELD, RECEIVER, "session", "L" + SESSION + ";");
                tell();
            }

            @Override
            public void visitInsn(int opcode) {
                if (opcode == Opcodes.RETURN) {
                    visitInsn(Opcodes.ACONST_NULL);
                    tell();
                }
                super.visitInsn(opcode);
            }

            private void tell() {
                visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "streamEnds", "(L" + SESSION + ";)V", false);
            }
        };
    }

    /** Where no target is left the method ends. */
    private static ClassVisitor hookSubmitHint(ClassWriter writer) {
        String arguments = "(L" + MUTATION + ";L" + TARGETS + ";L" + HANDLER + ";)";
        return new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access, String name, String desc, String signature, String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, desc, signature, exceptions);
                if (!name.equals("submitHint") || !desc.equals(arguments + "V")) {
                    return method;
                }
                INSTALLED.add(Hook.HINTED);
                return new MethodVisitor(Opcodes.ASM9, method) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        visitVarInsn(Opcodes.ALOAD, 0);
                        visitVarInsn(Opcodes.ALOAD, 1);
                        visitVarInsn(Opcodes.ALOAD, 2);
                        visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "hinted", arguments + "L" + TARGETS + ";", false);
                        visitInsn(Opcodes.DUP);
                        visitVarInsn(Opcodes.ASTORE, 1);
                        visitMethodInsn(Opcodes.INVOKEVIRTUAL, TARGETS, "isEmpty", "()Z", false);
                        Label some = new Label();
                        visitJumpInsn(Opcodes.IFEQ, some);
                        visitInsn(Opcodes.RETURN);
                        visitLabel(some);
                        visitFrame(Opcodes.F_SAME, 0, null, 0, null);
                    }
                };
            }
        };
    }

    /** @param called a static method of the node's */
    private static ClassVisitor callingAtStartOf(
            ClassWriter writer, String hooked, String descriptor, String called, Hook hook) {
        return new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access, String name, String desc, String signature, String[] exceptions) {
                MethodVisitor method = super.visitMethod(access, name, desc, signature, exceptions);
                if (!name.equals(hooked) || !desc.equals(descriptor)) {
                    return method;
                }
                INSTALLED.add(hook);
                return new MethodVisitor(Opcodes.ASM9, method) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        visitMethodInsn(Opcodes.INVOKESTATIC, NODE, called, "()V", false);
                    }
                };
            }
        };
    }
}
