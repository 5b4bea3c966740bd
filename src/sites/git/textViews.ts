import { normalizeText } from '../../contract/normalizeText.ts';

/**
 * A text after one kind of decoding. `starts` and `ends`: the position of each of its characters in
 * the original text.
 */
export interface View {
  text: string;
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
}

/** How many levels of nested escapes are decoded. */
const DEPTH = 3;
/**
 * Most characters of all views of a text together. Output of git and a remote has up to 64 KiB, and
 * usually few views.
 */
const MOST_CHARACTERS = 800_000;

const byte = (digits: string, radix: number) =>
  String.fromCharCode(Number.parseInt(digits, radix) & 0xff);
const character = (digits: string, radix: number) => {
  const code = Number.parseInt(digits, radix);
  return Buffer.from(code <= 0x10ffff ? String.fromCodePoint(code) : '').toString('latin1');
};
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

interface Escapes {
  pattern: RegExp;
  /** Decodes the groups of a match to bytes. A group that did not match is undefined. */
  meaning: (groups: string[]) => string;
}

/** One entry for each kind of escape. Escapes of one kind may contain those of another. */
const escapes: Escapes[] = [
  // URLs (RFC 3986, section 2.1)
  { pattern: /%([0-9a-f]{2})/gi, meaning: ([digits]) => byte(digits!, 16) },
  // mails (RFC 2045, section 6.7), with their line breaks
  {
    pattern: /=(?:([0-9a-f]{2})|[ \t]*\r?\n(?:remote: ?)?)/gi,
    meaning: ([digits]) => (digits ? byte(digits, 16) : ''),
  },
  // JSON, C and shells
  {
    pattern:
      /\\(?:(?-i:U)([0-9a-f]{8})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([0-7]{3})|([^xu0-7]))/gi,
    meaning: ([eight, four, braced, hex, octal, other = '']) => {
      const code = eight ?? four ?? braced;
      if (code) return character(code, 16);
      if (hex) return byte(hex, 16);
      return octal ? byte(octal, 8) : (controls[other] ?? other);
    },
  },
  // HTML
  {
    pattern: /&(?:#x0*([0-9a-f]{1,6})|#0*(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    meaning: ([hex, decimal, name = '']) => {
      if (hex) return character(hex, 16);
      return decimal ? character(decimal, 10) : named[name.toLowerCase()]!;
    },
  },
];

/**
 * Characters that may split a credential invisibly: white space, control characters, terminal
 * sequences (ECMA-48, section 5.4), git's prefix of a remote's lines, and everything that is not
 * ASCII, since credentials are ASCII. Wide letters are read as their ASCII ones.
 */
const dividers: Escapes = {
  pattern:
    /(\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]+[0-~]|[\0- \u007f](?:remote:)?)|([\u00c2-\u00f4][\u0080-\u00bf]{1,3})/gi,
  meaning: ([, other]) => (other ? inAscii(other) : ''),
};

const inAscii = (bytes: string) =>
  normalizeText(Buffer.from(bytes, 'latin1').toString(), 'NFKC').replace(/[^!-~]+/g, '');

/**
 * All views of a text.
 * @param bytes the text's UTF-8 bytes, one character for each
 * @returns null if the text has so many views that making them would block other work
 */
export function viewsOf(bytes: string): View[] | null {
  const places = Uint32Array.from({ length: bytes.length }, (_, at) => at);
  const whole: View = { text: bytes, starts: places, ends: places.map((at) => at + 1) };
  const known = new Set<string>();
  const views: View[] = [];
  let left = MOST_CHARACTERS;
  const take = (found: View[]) => {
    const taken = found.filter(({ text }) => isNew(known, text));
    for (const view of taken) left -= view.text.length;
    views.push(...taken);
    return taken;
  };
  let last = take([whole, read(whole, dividers)]);
  for (let depth = 0; depth < DEPTH; depth++) {
    const found: View[] = [];
    for (const view of last) {
      found.push(...take(escapes.map((each) => read(view, each))));
      if (left < 0) return null;
    }
    last = found;
  }
  // decoded escapes may contain dividers
  for (const view of [...views]) {
    take([read(view, dividers)]);
    if (left < 0) return null;
  }
  return views;
}

function isNew(known: Set<string>, text: string): boolean {
  const isIt = !known.has(text);
  known.add(text);
  return isIt;
}

/** Decodes each match in a view. All decoded characters get the position of the match. */
function read(view: View, { pattern, meaning }: Escapes): View {
  const text: string[] = [];
  const [starts, ends]: [number[], number[]] = [[], []];
  let at = 0;
  const keepUntil = (end: number) => {
    text.push(view.text.slice(at, end));
    for (; at < end; at++) {
      starts.push(view.starts[at]!);
      ends.push(view.ends[at]!);
    }
  };
  for (const match of view.text.matchAll(pattern)) {
    keepUntil(match.index);
    at += match[0].length;
    const stands = meaning(match.slice(1));
    text.push(stands);
    for (let i = 0; i < stands.length; i++) {
      starts.push(view.starts[match.index]!);
      ends.push(view.ends[at - 1]!);
    }
  }
  keepUntil(view.text.length);
  return { text: text.join(''), starts, ends };
}
