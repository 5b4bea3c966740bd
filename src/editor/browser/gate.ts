// Shown instead of the editor if there is nothing to edit, or the person may not edit.

import { errorText } from '../../browser/sendRequest.ts';
import { isForbidden, isLocked } from './api.ts';
import { elements } from './dom.ts';

const howToEnter =
  'Sign in if you are a member of the site’s team. Otherwise, ask the person who sent you this address for an editing link.';

export function showGate(
  error: unknown,
  { taskId, slug, hadKey }: { taskId: string; slug: string; hadKey: boolean },
) {
  const { gate, gateTitle, gateText, gateEnter, signIn, gateKey, gateCode } = elements;
  document.body.dataset['phase'] = 'gate';
  gate.hidden = false;
  gateTitle.textContent = isLocked(error)
    ? hadKey
      ? 'This link has expired'
      : 'Sign in to edit this page'
    : 'This page can’t be edited';
  gateText.textContent = isLocked(error)
    ? howToEnter
    : errorText(error).replace(/^Forbidden: /, '');
  gateEnter.hidden = !isLocked(error) && !isForbidden(error);
  signIn.textContent = isForbidden(error) ? 'Sign in as somebody else' : 'Sign in';
  signIn.href = `/sign-in?${isForbidden(error) ? 'other&' : ''}${new URLSearchParams({ next: location.pathname }).toString()}`;
  gateKey.hidden = !isLocked(error);
  const owner = taskId.startsWith('bg-') ? `agent/tasks/${taskId}` : `sites/${taskId}`;
  gateCode.textContent = [
    `curl -X POST ${location.origin}/api/v1/${owner}/edit-link \\`,
    `  -H 'Authorization: Bearer <key>' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ slug }).replaceAll("'", "'\\''")}'`,
  ].join('\n');
}
