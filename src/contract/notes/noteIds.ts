import { createHash } from 'node:crypto';
import type { Note } from '../task.ts';

const LENGTH = 16;

/** The id of a note within its task. The same note has the same id in tasks that build on it. */
export function noteIdOf({ page = '', kind, text }: Pick<Note, 'page' | 'kind' | 'text'>): string {
  return createHash('sha256')
    .update(JSON.stringify([page, kind, text]))
    .digest('hex')
    .slice(0, LENGTH);
}
