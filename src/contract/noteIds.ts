import { createHash } from 'node:crypto';
import type { Note } from './task.ts';

const LENGTH = 16;

/**
 * The id of a note among those of its task. The same note of a task on top of that one has it too.
 */
export function noteIdOf({ page = '', kind, text }: Pick<Note, 'page' | 'kind' | 'text'>): string {
  return createHash('sha256')
    .update(JSON.stringify([page, kind, text]))
    .digest('hex')
    .slice(0, LENGTH);
}
