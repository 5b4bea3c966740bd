import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './documents.ts';

const parts = ['src', 'activities', 'workflows', 'package.json', 'package-lock.json'];

/** Fills a folder with this code and a change that makes it another version. */
export function copyOtherCode(folder: string): void {
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  appendFileSync(join(folder, 'activities/index.ts'), '\n// other code\n');
}

/** Adds a migration to a copy of the code. It adds a column, as most of them do. */
export function addMigration(folder: string, name: string): void {
  const migrations = join(folder, 'src/storage/migrations');
  writeFileSync(join(migrations, `${name}.sql`), 'ALTER TABLE organizations ADD COLUMN drill text');
  const index = join(migrations, 'index.ts');
  const code = readFileSync(index, 'utf8');
  writeFileSync(index, code.replace(/^};$/m, `  '${name}': migrationIn('${name}.sql'),\n};`));
}
