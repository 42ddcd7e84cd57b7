// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Every document that is in the index on disk, read past {@link SearchIndex}.
 *
 * @param byId the documents of each id, of which there should be one
 */
record IndexContents(Map<String, List<Document>> byId) {

    static IndexContents read(Path path) throws IOException {
        try (Directory directory = FSDirectory.open(path);
                DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            Map<String, List<Document>> byId = new HashMap<>();
            for (ScoreDoc hit : searcher.search(new MatchAllDocsQuery(), Integer.MAX_VALUE).scoreDocs) {
                Document document = searcher.storedFields().document(hit.doc);
                byId.merge(document.get(AssetDocument.ID), List.of(document), IndexContents::both);
            }
            return new IndexContents(byId);
        }
    }

    /** The ids whose documents are not exactly what the rows say. */
    TreeSet<String> differences(Map<String, Assets.Row> rows) {
        TreeSet<String> different = new TreeSet<>(byId.keySet());
        different.addAll(rows.keySet());
        different.removeIf(id -> shows(rows.get(id), byId.getOrDefault(id, List.of())));
        return different;
    }

    /** How many of these are in the index in this version. */
    long count(Map<String, Long> versions) {
        return versions.entrySet().stream()
                .filter(wanted -> byId.getOrDefault(wanted.getKey(), List.of()).stream()
                        .anyMatch(document -> AssetDocument.version(document) == wanted.getValue()))
                .count();
    }

    private static boolean shows(Assets.@Nullable Row row, List<Document> documents) {
        return row != null && documents.size() == 1 && shows(row, documents.get(0));
    }

    private static boolean shows(Assets.Row row, Document document) {
        boolean same = AssetDocument.version(document) == row.version()
                && document.get(AssetDocument.RETIRED).equals(Boolean.toString(row.retired()));
        return row.retired()
                ? same
                : same
                        && row.asset().packageName().equals(document.get(AssetDocument.PACKAGE))
                        && row.asset().kind().equals(document.get(AssetDocument.KIND))
                        && row.asset().size()
                                == document.getField(AssetDocument.SIZE)
                                        .numericValue()
                                        .intValue();
    }

    private static List<Document> both(List<Document> some, List<Document> more) {
        return Stream.of(some, more).flatMap(List::stream).toList();
    }
}
