// What stands in the editor's place where there is nothing to edit, or no right to.

import { at } from './dom.js';

/**
 * @param {{status: number, message: string}} error
 * @param {{taskId: string, slug: string, hadKey: boolean}} asked
 */
export function showGate({ status, message }, { taskId, slug, hadKey }) {
  const isLocked = status === 401;
  document.body.dataset.phase = 'gate';
  at('gate').hidden = false;
  at('gate-title').textContent = isLocked
    ? hadKey
      ? 'This link has expired'
      : 'You need a link to edit this page'
    : 'This page can’t be edited';
  at('gate-text').textContent = isLocked
    ? 'A link works for 10 minutes, and opens the editor for 2 hours. Ask the person who sent you this link for a new one. This request makes it:'
    : message;
  at('gate-code').hidden = !isLocked;
  at('gate-code').textContent = [
    `curl -X POST ${location.origin}/api/v1/agent/tasks/${taskId}/edit-link \\`,
    `  -H 'Authorization: Bearer <key>' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ slug }).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
