// SPDX-License-Identifier: Apache-2.0
package dev.fanout.examples.jdkcatalog;

import dev.fanout.Event;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/** What a document of the index looks like, and how it is asked for. */
final class AssetDocument {

    static final Analyzer ANALYZER = new StandardAnalyzer();

    static final String ID = "id";
    static final String PACKAGE = "packageName";
    static final String KIND = "kind";
    static final String SIZE = "size";
    static final String RETIRED = "retired";

    private static final String WORDS = "words";
    private static final String GATE_VERSION = "gateVersion";

    /** The words within {@code URLClassLoader$1}: URL, Class, Loader, 1. */
    private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+");

    private AssetDocument() {}

    /** The document that an event makes: an asset, or the tombstone of one. */
    static Document of(Event event) {
        Document document = new Document();
        document.add(new StringField(ID, event.entity().id(), Store.YES));
        document.add(new StoredField(GATE_VERSION, event.gateVersion()));
        document.add(new StringField(RETIRED, Boolean.toString(event.deleted()), Store.YES));
        if (!event.deleted()) {
            Asset asset = Objects.requireNonNull(event.payload().as(Asset.class), "payload");
            document.add(new StringField(PACKAGE, asset.packageName(), Store.YES));
            document.add(new StringField(KIND, asset.kind(), Store.YES));
            document.add(new StoredField(SIZE, asset.size()));
            document.add(new TextField(WORDS, words(asset.name()), Store.NO));
        }
        return document;
    }

    /** What identifies a document. */
    static Term key(String id) {
        return new Term(ID, id);
    }

    /** The version that a document was made of. */
    static long version(Document document) {
        return document.getField(GATE_VERSION).numericValue().longValue();
    }

    /** A document in a line, for people. */
    static String line(Document document) {
        return String.format(
                Locale.ROOT,
                "%-10s %-60s %6s bytes",
                document.get(KIND),
                document.get(ID),
                document.getField(SIZE).numericValue());
    }

    /** Asks for all assets with all of the words in their names, of one kind or, if it is empty, of any. */
    static Query query(List<String> words, String kind) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        words.forEach(word -> query.add(new TermQuery(new Term(WORDS, word.toLowerCase(Locale.ROOT))), Occur.MUST));
        if (!kind.isEmpty()) {
            query.add(new TermQuery(new Term(KIND, kind)), Occur.FILTER);
        }
        return query.add(new TermQuery(new Term(RETIRED, "true")), Occur.MUST_NOT)
                .build();
    }

    private static String words(String name) {
        return WORD.matcher(name).results().map(MatchResult::group).collect(Collectors.joining(" "));
    }
}
