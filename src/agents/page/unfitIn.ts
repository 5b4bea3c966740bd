import type { CellRemark } from '../../contract/check.ts';
import { telephoneSpans } from '../../text/telephoneSpans.ts';
import { cut, isMailbox } from '../../text/text.ts';
import type { Slot } from '../../sites/formats/page.ts';
import { unfitFor } from '../context/fillKinds.ts';

const LONGEST = 200;
const WEB = /^(?:https?:\/\/|www\.)\S+$/i;

/**
 * The problem of a new text in a slot that only shows an e-mail address, a telephone number or a
 * web address; null if it fits.
 */
export function unfitIn({ role, numbers }: Slot, old: string, text: string): CellRemark | null {
  if (text === '' || text === old || role === 'structured-data') return null;
  const found = isMailbox(old)
    ? unfitFor({ kind: 'email', label: '' }, text)
    : telephoneSpans(old, numbers).some(({ from, to }) => to - from === old.length)
      ? unfitFor({ kind: 'telephone', label: '' }, text)
      : null;
  if (found && !found.isUsed)
    return remark(text, isMailbox(old) ? 'e-mail address' : 'telephone number', found);
  return WEB.test(old) && (/\s/.test(text) || !text.includes('.'))
    ? remark(text, 'web address', { code: 'not-a-web-address', says: 'is no web address' })
    : null;
}

function remark(
  text: string,
  fills: string,
  { code, says }: { code: string; says: string },
): CellRemark {
  const value = cut(text, LONGEST);
  return {
    label: '',
    value,
    fills,
    code,
    message: `"${value}" ${says}: it is not used`,
    severity: 'error',
  };
}
