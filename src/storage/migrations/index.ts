import { readFileSync } from 'node:fs';
import { type Migration, sql } from 'kysely';

/** A migration from an SQL file, whose statements are separated by blank lines. */
const migrationIn = (file: string): Migration => ({
  async up(db) {
    const migrationSql = readFileSync(new URL(file, import.meta.url), 'utf8');
    for (const statement of migrationSql.split(/;\n\n/)) await sql.raw(statement).execute(db);
  },
});

/**
 * Migrations by name, run in the order of their names. A released migration never changes; a new
 * one corrects it.
 */
export const migrations: Record<string, Migration> = {
  '001_initial': migrationIn('001_initial.sql'),
};
