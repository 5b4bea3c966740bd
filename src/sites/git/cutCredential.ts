import type { GitCredential } from '../../contract/site.ts';
import { viewsOf } from './textViews.ts';

/** The replacement for a credential. */
export const CUT = '[credential]';

/** Forms with fewer characters are only cut if they are whole words. */
const LEAST = 4;
/** Characters of a form that must stand at the end of a truncated text for this part to be cut. */
const LEAST_BEGUN = 6;
/** The longest part of an escape at which a text may be truncated, in characters. */
const ESCAPE = 9;

export type Cut = (text: string) => string;

/**
 * Removes a credential from texts of a remote, which may repeat it: as it is, with its user name,
 * in base64 (also within a longer base64 text) or hex, up to twice, as UTF-16, escaped for URLs,
 * JSON, shells and HTML, up to three times, and split by invisible characters. A text with too many
 * possible readings is removed as a whole.
 */
export function cutterFor(credential: GitCredential | null): Cut {
  const forms = credential === null ? [] : formsOf(credential);
  return forms.length === 0 ? (text) => text : (text) => cut(text, forms);
}

function formsOf(credential: GitCredential): string[] {
  const secrets =
    credential.kind === 'token'
      ? [`${credential.username}:${credential.token}`, credential.token]
      : credential.privateKey
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('-----'));
  return [
    ...new Set(
      secrets
        .flatMap((secret) => [secret, ...behindSign(secret), ...encodedFormsOf(secret)])
        .map(lowered),
    ),
  ];
}

/**
 * After `token=`, a mail escape may consume a secret's first two characters. So the rest of the
 * secret is a form, too.
 */
const behindSign = (secret: string) => (secret.length < 2 + LEAST_BEGUN ? [] : [secret.slice(2)]);

/** Forms are compared in lower case: some encodings allow either case. */
const lowered = (form: string) => latin1(form).toLowerCase();

/**
 * The secret encoded once or twice in ways that `viewsOf` does not decode. Short results are left
 * out: they occur in too many other texts.
 */
function encodedFormsOf(secret: string): string[] {
  const bytes = [Buffer.from(secret), Buffer.from(secret, 'utf16le')];
  const once = bytes.flatMap((each) => [each.toString('hex'), each.toString('base64')]);
  const texts = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...once];
  const hex = [...bytes, ...once.map((text) => Buffer.from(text))].map((each) =>
    each.toString('hex'),
  );
  const base64 = [...bytes, ...texts.map((text) => Buffer.from(text))].flatMap(base64Within);
  return [...hex, ...base64].filter((form) => form.length >= LEAST_BEGUN);
}

/**
 * The base64 characters of a text that do not depend on the bytes around it, for each of the three
 * offsets at which the text may begin (RFC 4648, section 4).
 */
function base64Within(content: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), content]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return ['base64', 'base64url'].map((encoding) =>
      bytes.toString(encoding as 'base64').slice(from, to),
    );
  });
}

type Range = [start: number, end: number];

function cut(text: string, forms: string[]): string {
  const bytes = latin1(text);
  const views = viewsOf(bytes);
  if (!views) return CUT;
  const ranges = views.flatMap(({ text: seen, starts, ends }) =>
    rangesIn(seen.toLowerCase(), forms).map(([from, to]): Range => [starts[from]!, ends[to - 1]!]),
  );
  return ranges.length === 0 ? text : Buffer.from(without(bytes, ranges), 'latin1').toString();
}

function rangesIn(seen: string, forms: string[]): Range[] {
  const ranges: Range[] = [];
  const ends = [seen, seen.slice(0, -ESCAPE) + seen.slice(-ESCAPE).replace(brokenEscape, '')];
  for (const form of forms) {
    for (let at = seen.indexOf(form); at >= 0; at = seen.indexOf(form, at + form.length))
      if (form.length >= LEAST || isWord(seen, at, form.length))
        ranges.push([at, at + form.length]);
    const begun = Math.min(...ends.map((text) => beginningAt(text, form)));
    if (begun < seen.length) ranges.push([begun, seen.length]);
  }
  return ranges;
}

function isWord(seen: string, at: number, length: number): boolean {
  return !/\w/.test(seen.slice(Math.max(0, at - 1), at)) && !/\w/.test(seen[at + length] ?? '');
}

/** The beginning of an escape at the end of a text. */
const brokenEscape = /[%=\\&][\w#{]{0,7}$/;

/**
 * Where a text ends with the beginning of a form; Infinity if it does not. Output of git is read up
 * to a limit, so it may be truncated.
 */
function beginningAt(text: string, form: string): number {
  const head = form.slice(0, LEAST_BEGUN);
  const last = text.at(-1);
  if (last === undefined || !form.includes(last)) return Infinity;
  const from = Math.max(0, text.length - form.length);
  for (let at = text.indexOf(head, from); at >= 0; at = text.indexOf(head, at + 1))
    if (form.charAt(text.length - at - 1) === last && form.startsWith(text.slice(at))) return at;
  return Infinity;
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

/** A text's UTF-8 bytes, one character each. */
const latin1 = (text: string) => Buffer.from(text).toString('latin1');
