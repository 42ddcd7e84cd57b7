// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The little that the catalogue wants of a class file (JVMS chapter 4): its flags, and whether it is a record. */
final class ClassFile {

    private static final int INTERFACE = 0x0200;
    private static final int ANNOTATION = 0x2000;
    private static final int ENUM = 0x4000;

    private ClassFile() {}

    static String kind(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            in.skipNBytes(8);
            Constants constants = Constants.read(in);
            int flags = in.readUnsignedShort();
            in.skipNBytes(2);
            return kind(flags, constants.className(in.readUnsignedShort()));
        } catch (IOException e) {
            throw new UncheckedIOException("not a class file", e);
        }
    }

    private static String kind(int flags, String parent) {
        if ((flags & ANNOTATION) != 0) {
            return "annotation";
        }
        if ((flags & INTERFACE) != 0) {
            return "interface";
        }
        if ((flags & ENUM) != 0) {
            return "enum";
        }
        return parent.equals("java/lang/Record") ? "record" : "class";
    }

    /** The constant pool: texts, and which text names a class. */
    private static final class Constants {

        private final String[] texts;
        private final int[] classes;

        private Constants(int count) {
            texts = new String[count];
            classes = new int[count];
        }

        static Constants read(DataInputStream in) throws IOException {
            int count = in.readUnsignedShort();
            Constants constants = new Constants(count);
            for (int i = 1; i < count; i++) {
                i += constants.readEntry(in, i);
            }
            return constants;
        }

        /** Reads one entry; answers how many further indexes it takes. */
        private int readEntry(DataInputStream in, int i) throws IOException {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 7 -> classes[i] = in.readUnsignedShort();
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> in.skipNBytes(8);
                default -> throw new IOException("unknown constant " + tag);
            }
            return tag == 5 || tag == 6 ? 1 : 0;
        }

        /** The name of a class; empty for none, which only java.lang.Object has above it. */
        String className(int index) {
            return index == 0 ? "" : texts[classes[index]];
        }
    }
}
