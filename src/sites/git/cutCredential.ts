import type { Credential } from '../../contract/site.ts';
import { viewsOf } from './textViews.ts';

/** What stands in place of a credential. */
export const CUT = '[credential]';

/** Characters of a form from which on it is looked for wherever it stands; a shorter one only as a whole word. */
const LEAST = 4;
/** Characters of a form's beginning that are cut where a text breaks off in the middle of it. */
const LEAST_BEGUN = 6;

export type Cut = (text: string) => string;

/**
 * Takes a credential out of texts of a remote, which may repeat what it was given: as it is, with its user, in base64
 * (also within more), in hex, escaped for URLs, JSON, shells and HTML, up to three times, and split over lines.
 */
export function cutterFor(credential: Credential | null): Cut {
  const forms = credential === null ? [] : formsOf(credential);
  return forms.length === 0 ? (text) => text : (text) => cut(text, forms);
}

function formsOf(credential: Credential): string[] {
  const secrets =
    credential.kind === 'token'
      ? [`${credential.username}:${credential.token}`, credential.token]
      : credential.privateKey.split('\n').filter((line) => line !== '' && !line.startsWith('-----'));
  return [...new Set(secrets.flatMap((secret) => [secret, ...encodedFormsOf(secret)]).map(lowered))];
}

/** Case is not looked at: some encodings may be in upper or lower case. */
const lowered = (form: string) => latin1(form).toLowerCase();

/** Forms that escapes do not explain. Short ones stand in too many other texts. */
function encodedFormsOf(secret: string): string[] {
  const written = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const forms = [Buffer.from(secret).toString('hex'), ...written.flatMap(base64Within)];
  return forms.filter((form) => form.length >= LEAST_BEGUN);
}

/** The characters of base64 that a text surely has, wherever it begins in what is encoded (RFC 4648, section 4). */
function base64Within(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return ['base64', 'base64url'].map((encoding) => bytes.toString(encoding as 'base64').slice(from, to));
  });
}

type Range = [start: number, end: number];

function cut(text: string, forms: string[]): string {
  const bytes = latin1(text);
  const ranges = viewsOf(bytes).flatMap(({ text: seen, starts, ends }) =>
    rangesIn(seen.toLowerCase(), forms).map(([from, to]): Range => [starts[from]!, ends[to - 1]!]),
  );
  return ranges.length === 0 ? text : Buffer.from(without(bytes, ranges), 'latin1').toString();
}

function rangesIn(seen: string, forms: string[]): Range[] {
  const ranges: Range[] = [];
  for (const form of forms) {
    for (let at = seen.indexOf(form); at >= 0; at = seen.indexOf(form, at + form.length))
      if (form.length >= LEAST || isWord(seen, at, form.length)) ranges.push([at, at + form.length]);
    const begun = begunAtEnd(seen, form);
    if (begun > 0) ranges.push([seen.length - begun, seen.length]);
  }
  return ranges;
}

function isWord(seen: string, at: number, length: number): boolean {
  return !/\w/.test(seen.slice(Math.max(0, at - 1), at)) && !/\w/.test(seen[at + length] ?? '');
}

/** An escape that a text breaks off in. */
const brokenEscape = /[%=\\&][\w#{]{0,7}$/;

/** How many characters at a text's end are the beginning of a form: git's words are read up to a limit. */
function begunAtEnd(seen: string, form: string): number {
  const head = form.slice(0, LEAST_BEGUN);
  const from = Math.max(0, seen.length - form.length - 8);
  for (let at = seen.indexOf(head, from); at >= 0; at = seen.indexOf(head, at + 1)) {
    const end = seen.slice(at);
    if (form.startsWith(end) || form.startsWith(end.replace(brokenEscape, ''))) return end.length;
  }
  return 0;
}

function without(bytes: string, ranges: Range[]): string {
  let result = '';
  let at = 0;
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    if (start >= at) result += bytes.slice(at, start) + CUT;
    at = Math.max(at, end);
  }
  return result + bytes.slice(at);
}

/** A text's UTF-8 bytes, a character each. */
const latin1 = (text: string) => Buffer.from(text).toString('latin1');
