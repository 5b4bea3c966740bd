/** A text as somebody may read it, with the place of each of its characters in the text that was written. */
export interface View {
  text: string;
  starts: ArrayLike<number>;
  ends: ArrayLike<number>;
}

/** How often escapes stand in escapes that are looked into. */
const DEPTH = 3;

const byte = (digits: string, radix: number) => String.fromCharCode(Number.parseInt(digits, radix) & 0xff);
const character = (digits: string, radix: number) => {
  const code = Number.parseInt(digits, radix);
  return Buffer.from(code <= 0x10ffff ? String.fromCodePoint(code) : '').toString('latin1');
};
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

interface Escapes {
  pattern: RegExp;
  /** What the parts of a match stand for, in bytes. */
  meaning: (...parts: string[]) => string;
}

/** Each is one that programs use together: a text may have the signs of another one in it. */
const escapes: Escapes[] = [
  // URLs (RFC 3986, section 2.1)
  { pattern: /%([0-9a-f]{2})/gi, meaning: (digits) => byte(digits, 16) },
  // mails (RFC 2045, section 6.7)
  { pattern: /=([0-9a-f]{2})/gi, meaning: (digits) => byte(digits, 16) },
  // JSON, C and shells
  {
    pattern: /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|([0-7]{3})|([^xu0-7]))/gi,
    meaning: (four, braced, hex, octal, other) => {
      const code = four ?? braced;
      if (code) return character(code, 16);
      if (hex) return byte(hex, 16);
      return octal ? byte(octal, 8) : (controls[other] ?? other);
    },
  },
  // HTML
  {
    pattern: /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    meaning: (hex, decimal, name) => {
      if (hex) return character(hex, 16);
      return decimal ? character(decimal, 10) : named[name.toLowerCase()]!;
    },
  },
];

/**
 * What only divides: white space, control and invisible characters, colours of terminals, and what git writes before
 * each line of a remote.
 */
const dividers: Escapes = {
  pattern:
    /\u001b\[[0-9;]*[a-z]|[\0- \u007f](?:remote:)?|\u00e2\u0080[\u008b-\u008f\u00a8-\u00ae]|\u00ef\u00bb\u00bf/gi,
  meaning: () => '',
};

/** @param bytes UTF-8, a character each */
export function viewsOf(bytes: string): View[] {
  const places = Uint32Array.from({ length: bytes.length }, (_, at) => at);
  const whole: View = { text: bytes, starts: places, ends: places.map((at) => at + 1) };
  const known = new Set<string>();
  let last = [whole, read(whole, dividers)].filter(({ text }) => isNew(known, text));
  const views = [...last];
  for (let depth = 0; depth < DEPTH; depth++) {
    last = last.flatMap((view) => escapes.map((each) => read(view, each))).filter(({ text }) => isNew(known, text));
    views.push(...last);
  }
  // escapes may stand for what divides, too
  return [...views, ...views.map((view) => read(view, dividers)).filter(({ text }) => isNew(known, text))];
}

function isNew(known: Set<string>, text: string): boolean {
  const isIt = !known.has(text);
  known.add(text);
  return isIt;
}

/** A view with each match read as its meaning, whose characters stand at the place of the whole match. */
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
    const stands = meaning(...match.slice(1));
    text.push(stands);
    for (let i = 0; i < stands.length; i++) {
      starts.push(view.starts[match.index]!);
      ends.push(view.ends[at - 1]!);
    }
  }
  keepUntil(view.text.length);
  return { text: text.join(''), starts, ends };
}
