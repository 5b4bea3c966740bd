import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FolderBudget {
  /** A folder of tests, or another part of a run. */
  folder: string;
  /** CPU seconds. */
  cpu: number;
}

const guide = join(import.meta.dirname, '../../CONTRIBUTING.md');

/** The rows of the table of budgets in CONTRIBUTING.md. */
export function readBudgets(text = readFileSync(guide, 'utf8')): FolderBudget[] {
  const [, section = ''] = text.split('\n## What tests may cost\n');
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `?([^|`]+?)`? \| ([\d,]+) \|/gm)].map(([, folder, cpu]) => ({
    folder: folder!,
    cpu: Number(cpu!.replace(',', '')),
  }));
}
