// The line above the page that says what went wrong, or what to do next.

import { errorText } from '../../browser/sendRequest.ts';
import { isLocked, isUnanswered } from './api.ts';
import { elements } from './dom.ts';

const sessionEnded =
  'This editing session has ended. Sign in, or open a new editing link, in another tab. Then come back and save: ' +
  'what you typed is still here.';
const serviceUnanswered =
  'The service does not answer. What you typed is still here. Try again in a moment.';

/** @param text '' hides the line */
export function notify(text: string) {
  elements.notice.hidden = text === '';
  elements.noticeText.textContent = text;
}

export function notifyError(error: unknown) {
  notify(
    isLocked(error) ? sessionEnded : isUnanswered(error) ? serviceUnanswered : errorText(error),
  );
}
