import type { Instruction } from '../instructions.ts';
import { type Found, shapeOf } from '../language/shapes.ts';
import type { Token } from '../language/tokens.ts';
import { textIn } from './row.ts';

interface FollowUp {
  wordings: [shape: string, example: string][];
  /** The instruction before it with what it adds; null where it does not belong to that one. */
  read: (found: Found, before: Instruction) => Instruction | null;
}

/** `from` of a fact that is everywhere, where it was not given yet. */
const from: FollowUp['read'] = (found, before) =>
  (before.kind === 'contact' || before.kind === 'company') && before.from === undefined
    ? { ...before, from: textIn(found, 'from')! }
    : null;

const what =
  (kind: 'telephone' | 'email'): FollowUp['read'] =>
  (found, before) =>
    before.kind === 'contact' && before.what === kind ? from(found, before) : null;

const SITE_WIDE = new Set<Instruction['kind']>(['contact', 'company', 'year']);

/** Sentences that add to the instruction before them, and are none without it. */
export const followUps: Record<string, FollowUp> = {
  again: {
    wordings: [
      [
        'SET|replace it|this|that|them EVERYWHERE?',
        'Our phone number is now +1 303 555 0177, please update it everywhere',
      ],
      ['use it|this|that EVERYWHERE', 'Our phone number is now +1 303 555 0177. Use it everywhere'],
    ],
    read: (_, before) => (SITE_WIDE.has(before.kind) ? before : null),
  },
  name: {
    wordings: [
      [
        'SET|replace THE? old? COMPANY? name EVERYWHERE',
        'We are now called "Acme Works". Change the name everywhere',
      ],
    ],
    read: (_, before) => (before.kind === 'company' ? before : null),
  },
  number: {
    wordings: [
      [
        'SET|replace THE? old? PHONE EVERYWHERE',
        'Our phone number is now +1 303 555 0177. Change the number everywhere',
      ],
    ],
    read: (_, before) => (before.kind === 'contact' && before.what === 'telephone' ? before : null),
  },
  telephone: {
    wordings: [
      [
        'SET|replace THE? old? PHONE? {phone:from} EVERYWHERE?',
        'Our phone number is now +1 303 555 0177. Please change +1 303 555 0100 everywhere',
      ],
      [
        'THE? old|previous|former PHONE|one is|was {phone:from}',
        'Our phone number is now +1 303 555 0177. The old one was +1 303 555 0100',
      ],
      [
        'before ,? it was {phone:from}',
        'Our phone number is now +1 303 555 0177. Before, it was +1 303 555 0100',
      ],
      [
        'it was {phone:from} before?',
        'Our phone number is now +1 303 555 0177. It was +1 303 555 0100 before',
      ],
    ],
    read: what('telephone'),
  },
  email: {
    wordings: [
      [
        'SET|replace THE? old? EMAIL? {email:from} EVERYWHERE?',
        'Our e-mail is now office@acme.example. Please change hello@acme.example everywhere',
      ],
      [
        'THE? old|previous|former EMAIL|one is|was {email:from}',
        'Our e-mail is now office@acme.example. The old one was hello@acme.example',
      ],
      [
        'it was {email:from} before?',
        'Our e-mail is now office@acme.example. It was hello@acme.example before',
      ],
    ],
    read: what('email'),
  },
  company: {
    wordings: [
      [
        'SET|replace {value:from} EVERYWHERE',
        'We are now called "Acme Works". Change "Acme" everywhere',
      ],
      [
        'THE? old|previous|former name|one is|was {value:from}',
        'We are now called "Acme Works". The old name was "Acme"',
      ],
      ['it was {value:from} before?', 'We are now called "Acme Works". It was "Acme" before'],
      ['we were {value:from} before?', 'We are now called "Acme Works". We were "Acme" before'],
      [
        'we were called {value:from} before?',
        'We are now called "Acme Works". We were called "Acme" before',
      ],
    ],
    read: (found, before) => (before.kind === 'company' ? from(found, before) : null),
  },
};

const shapes = Object.values(followUps).flatMap(({ wordings, read }) =>
  wordings.map(([shape]) => ({ match: shapeOf(shape), read })),
);

/**
 * The instruction before with what a sentence adds to it; null where it adds nothing that is
 * understood.
 */
export function readFollowUp(tokens: Token[], before: Instruction | undefined): Instruction | null {
  if (!before) return null;
  for (const { match, read } of shapes)
    for (const found of match(tokens)) {
      const instruction = read(found, before);
      if (instruction) return instruction;
    }
  return null;
}
