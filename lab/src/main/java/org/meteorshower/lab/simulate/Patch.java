/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A mistake put into one method of the protocol core. The core's source has no switches for mistakes.
 *
 * @param type the class's simple name, nested ones with a dollar sign
 */
record Patch(String type, String method, Edit edit) {
    String className() {
        return Edit.internal(type).replace('/', '.');
    }

    /** @throws IllegalStateException if the method has changed so that there is nothing to change in it */
    byte[] applyTo(byte[] classfile) {
        int[] changes = {0};
        ClassReader reader = new ClassReader(classfile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
                        return name.equals(method) ? edit.over(next, descriptor, () -> changes[0]++) : next;
                    }
                },
                0);
        if (changes[0] == 0) {
            throw new IllegalStateException("the mutant's patch of " + type + "." + method
                    + " finds nothing to change: the core has changed, and the patch must follow");
        }
        return writer.toByteArray();
    }
}
