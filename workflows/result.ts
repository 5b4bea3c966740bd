import type { PageFile } from '../src/contract/site.ts';

/** What the work of a task came to: the commit with its pages, or no commit where nothing changed. */
export interface WorkResult {
  base: string;
  commit: string | null;
  created: PageFile[];
  modified: PageFile[];
  deleted: PageFile[];
  warnings: string[];
  externalIds?: Record<string, string>;
}
