import type { Instruction } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import type { Token } from '../language/tokens.ts';
import { readingsBy, type Wording } from './row.ts';

interface FollowUp {
  wordings: Wording[];
  /**
   * Adds the sentence's facts to the previous instruction. null if the sentence does not belong to
   * it.
   */
  read: (found: Found, before: Instruction) => Instruction | null;
}

type Fact = Extract<Instruction, { kind: 'contact' | 'company' }>;
type FactName = 'company' | 'telephone' | 'email';

const isOf = (instruction: Instruction, name: FactName): instruction is Fact =>
  instruction.kind === 'contact'
    ? instruction.what === name
    : instruction.kind === 'company' && name === 'company';

/** Accepts a sentence that repeats the previous instruction. */
const again =
  (name: FactName): FollowUp['read'] =>
  (_, before) =>
    isOf(before, name) ? before : null;

/** Adds a fact's former value to an instruction that lacks it. */
const from =
  (name: FactName): FollowUp['read'] =>
  (found, before) =>
    isOf(before, name) && before.from === undefined ? { ...before, from: found.from! } : null;

const SITE_WIDE = new Set<Instruction['kind']>(['contact', 'company', 'year']);

/** Sentences that add to the previous instruction. They are no instructions by themselves. */
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
    read: again('company'),
  },
  number: {
    wordings: [
      [
        'SET|replace THE? old? PHONE EVERYWHERE',
        'Our phone number is now +1 303 555 0177. Change the number everywhere',
      ],
    ],
    read: again('telephone'),
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
    read: from('telephone'),
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
    read: from('email'),
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
    read: from('company'),
  },
};

const readings = readingsBy(followUps);

/** Adds a sentence to the previous instruction. null if the sentence adds nothing to it. */
export const readFollowUp = (
  tokens: Token[],
  before: Instruction | undefined,
): Instruction | null =>
  before === undefined
    ? null
    : (readings(tokens)
        .map(({ row, found }) => row.read(found, before))
        .find((instruction) => instruction !== null) ?? null);
