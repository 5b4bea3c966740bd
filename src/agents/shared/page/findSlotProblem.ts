import type { CellRemark } from '../../../contract/checks.ts';
import { telephoneSpans } from '../../../text/telephoneSpans.ts';
import { truncateText, isMailbox } from '../../../text/text.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { findCellValueProblem } from '../context/valueKinds.ts';

const MAX_QUOTED_LENGTH = 200;
const WEB_ADDRESS = /^(?:https?:\/\/|www\.)\S+$/i;

/**
 * Finds out why a new text does not fit a slot that only shows an e-mail address, a telephone
 * number or a web address. null if it fits, or the slot is for other texts.
 */
export function findSlotProblem(
  { role, numbers }: TextSlot,
  oldText: string,
  text: string,
): CellRemark | null {
  if (text === '' || text === oldText || role === 'structured-data') return null;
  const problem = isMailbox(oldText)
    ? findCellValueProblem({ kind: 'email', label: '' }, text)
    : telephoneSpans(oldText, numbers).some(({ from, to }) => to - from === oldText.length)
      ? findCellValueProblem({ kind: 'telephone', label: '' }, text)
      : null;
  if (problem && !problem.isUsed)
    return createSlotRemark(
      text,
      isMailbox(oldText) ? 'e-mail address' : 'telephone number',
      problem,
    );
  return WEB_ADDRESS.test(oldText) && (/\s/.test(text) || !text.includes('.'))
    ? createSlotRemark(text, 'web address', {
        code: 'not-a-web-address',
        description: 'is not a web address',
      })
    : null;
}

function createSlotRemark(
  text: string,
  fills: string,
  { code, description }: { code: string; description: string },
): CellRemark {
  const value = truncateText(text, MAX_QUOTED_LENGTH);
  return {
    label: '',
    value,
    fills,
    code,
    message: `"${value}" ${description} and is not used`,
    severity: 'error',
  };
}
