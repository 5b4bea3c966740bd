// Shown instead of the editor if there is nothing to edit, or no right to edit.

import { Refusal } from './api.js';
import { elements } from './dom.js';
import { messageOf } from './notice.js';

const howToEnter =
  'A link works for 10 minutes, and opens the editor for 2 hours. Both end with the API key that made the link. ' +
  'Ask the person who sent you this link for a new one. With an API key, make one:';

/**
 * @param {unknown} error
 * @param {{ taskId: string, slug: string, hadKey: boolean }} asked
 */
export function showGate(error, { taskId, slug, hadKey }) {
  const { gate, gateTitle, gateText, gateCode } = elements;
  const isLocked = error instanceof Refusal && error.isLocked;
  document.body.dataset.phase = 'gate';
  gate.hidden = false;
  gateTitle.textContent = isLocked
    ? hadKey
      ? 'This link has expired'
      : 'You need a link to edit this page'
    : 'This page can’t be edited';
  gateText.textContent = isLocked ? howToEnter : messageOf(error);
  gateCode.hidden = !isLocked;
  gateCode.textContent = [
    `curl -X POST ${location.origin}/api/v1/agent/tasks/${taskId}/edit-link \\`,
    `  -H 'Authorization: Bearer <key>' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ slug }).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
