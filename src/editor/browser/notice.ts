// The line above the page that says what went wrong, or what to do next.

import { Refusal } from './api.ts';
import { elements } from './dom.ts';

const sessionEnded =
  'This editing session has ended. Sign in, or open a new editing link, in another tab. Then come back and save: ' +
  'what you typed is still here.';

/** @param {string} text empty: nothing to say any more */
export function notify(text) {
  elements.notice.hidden = text === '';
  elements.noticeText.textContent = text;
}

/** @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {unknown} error */
export function tell(error) {
  notify(error instanceof Refusal && error.isLocked ? sessionEnded : messageOf(error));
}
