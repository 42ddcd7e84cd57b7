// SPDX-License-Identifier: Apache-2.0
package dev.fanout.postgres.internal;

import java.util.List;

/** Writes out what a DBA runs instead of letting the library migrate. */
public final class Script {

    private final Statements statements;

    /**
     * Makes the script of a schema.
     *
     * @param schema the schema
     */
    public Script(SchemaName schema) {
        this.statements = new Statements(schema);
    }

    /**
     * Returns the whole script: schema, migrations, their history, and the roles of an appender and a runner.
     *
     * @return SQL for psql, to be run in one transaction
     */
    public String text() {
        StringBuilder all = new StringBuilder(statements.text("script/head.sql"));
        List<Migration> migrations = Migration.all();
        migrations.forEach(migration -> all.append(statements.text(migration.path())));
        all.append(statements.text("script/history.sql"));
        for (int i = 0; i < migrations.size(); i++) {
            all.append(historyRow(i + 1, migrations.get(i)));
        }
        return all.append(statements.text("script/grants.sql")).toString();
    }

    private String historyRow(int rank, Migration migration) {
        return statements
                .text("script/history-row.sql")
                .replace("${rank}", Integer.toString(rank))
                .replace("${version}", migration.version())
                .replace("${description}", migration.description())
                .replace("${script}", migration.script())
                .replace("${checksum}", Integer.toString(migration.checksum()));
    }
}
