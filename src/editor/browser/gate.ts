// Shown instead of the editor if there is nothing to edit, or no right to edit.

import { Refusal } from './api.ts';
import { elements } from './dom.ts';
import { messageOf } from './notice.ts';

const howToEnter =
  'Sign in, if you belong to the team of this site. If not, ask who sent you this address for an editing link.';

/**
 * @param {unknown} error
 * @param {{ taskId: string, slug: string, hadKey: boolean }} asked
 */
export function showGate(error, { taskId, slug, hadKey }) {
  const { gate, gateTitle, gateText, gateEnter, signIn, gateKey, gateCode } = elements;
  const isLocked = error instanceof Refusal && error.isLocked;
  const isForbidden = error instanceof Refusal && error.isForbidden;
  document.body.dataset.phase = 'gate';
  gate.hidden = false;
  gateTitle.textContent = isLocked
    ? hadKey
      ? 'This link has expired'
      : 'Sign in to edit this page'
    : 'This page can’t be edited';
  gateText.textContent = isLocked ? howToEnter : messageOf(error).replace(/^Forbidden: /, '');
  gateEnter.hidden = !isLocked && !isForbidden;
  signIn.textContent = isForbidden ? 'Sign in as somebody else' : 'Sign in';
  signIn.href = `/sign-in?${isForbidden ? 'other&' : ''}${new URLSearchParams({ next: location.pathname }).toString()}`;
  gateKey.hidden = !isLocked;
  gateCode.textContent = [
    `curl -X POST ${location.origin}/api/v1/agent/tasks/${taskId}/edit-link \\`,
    `  -H 'Authorization: Bearer <key>' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ slug }).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
