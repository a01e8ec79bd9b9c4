package io.lockkeeper.spring;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Finds in the code of a class where it calls methods of its own. Code that has another object of
 * the class at hand, such as the bean's proxy, is left alone.
 */
final class SelfCalls {

  private SelfCalls() {}

  /** Returns the calls, as text: empty if there are none, or if the code cannot be read. */
  static Set<String> of(Class<?> type, Collection<Method> methods) {
    Set<String> own = new HashSet<>();
    Set<String> calls = new TreeSet<>();
    Set<String> targets =
        methods.stream()
            .map(method -> method.getName() + Type.getMethodDescriptor(method))
            .collect(Collectors.toSet());
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      own.add(Type.getInternalName(each));
    }
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      ClassLoader loader = each.getClassLoader();
      if (loader == null) {
        break;
      }
      try (InputStream code = loader.getResourceAsStream(Type.getInternalName(each) + ".class")) {
        if (code != null) {
          new ClassReader(code)
              .accept(
                  new Finder(each, own, targets, calls),
                  ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        }
      } catch (IOException | RuntimeException e) {
        return calls; // newer than this reader, say
      }
    }
    return calls;
  }

  private static final class Finder extends ClassVisitor {

    private final Class<?> type;
    private final Set<String> own;
    private final Set<String> targets;
    private final Set<String> calls;

    Finder(Class<?> type, Set<String> own, Set<String> targets, Set<String> calls) {
      super(SpringAsmInfo.ASM_VERSION);
      this.type = type;
      this.own = own;
      this.targets = targets;
      this.calls = calls;
    }

    private boolean isOwn(Type other) {
      return other.getSort() == Type.OBJECT && own.contains(other.getInternalName());
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      if ((access & Opcodes.ACC_BRIDGE) != 0) {
        return null;
      }
      Set<String> found = new TreeSet<>();
      return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {

        private boolean other =
            java.util.Arrays.stream(Type.getArgumentTypes(descriptor)).anyMatch(Finder.this::isOwn);

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String fieldType) {
          boolean reads = opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC;
          other |= reads && isOwn(Type.getType(fieldType));
        }

        @Override
        public void visitTypeInsn(int opcode, String of) {
          other |= isOwn(Type.getObjectType(of));
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String calledType, boolean isInterface) {
          other |= isOwn(Type.getReturnType(calledType));
          note(owner, called, calledType);
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String calledType, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            if (argument instanceof Handle handle) {
              note(handle.getOwner(), handle.getName(), handle.getDesc());
            }
          }
        }

        private void note(String owner, String called, String calledType) {
          String target = called + calledType;
          if (own.contains(owner)
              && targets.contains(target)
              && !target.equals(name + descriptor)) {
            found.add(called);
          }
        }

        @Override
        public void visitEnd() {
          if (!other) {
            found.forEach(called -> calls.add(type.getSimpleName() + "." + name + " -> " + called));
          }
        }
      };
    }
  }
}
