import { createEditor } from '../../src/editor/editor.ts';
import { createGrants } from '../../src/editor/grants.ts';
import type { TaskState } from '../../src/editor/task.ts';
import { DomainError } from '../../src/errors.ts';
import { createPages } from '../../src/sites/pagesPool.ts';
import { type Host, startHost } from '../unit/hosting/embedded/host.ts';
import { organizationId as callers, startApi, type TestApi } from './api.ts';

/** Editing with no task to edit, and no editor behind it. */
export function noEditing() {
  const fail = () => Promise.reject(new DomainError('NOT_FOUND', 'Task not found'));
  const editor = { open: fail, frame: fail, save: fail };
  return { editor, grants: createGrants(Buffer.alloc(32, 7)), findTask: fail, publicUrl: () => new URL('https://api.example.com') };
}
