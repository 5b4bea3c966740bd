import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import type { InstructionKind, WordingExample } from './instructionKind.ts';

/** The kind of instructions that change a telephone number or an e-mail address. */
const createContactKind = (
  what: 'telephone' | 'email',
  [type, noun, oldExample, newExample]: [type: string, noun: string, old: string, now: string],
): InstructionKind => {
  const phraseName = type.toUpperCase();
  const wordings: WordingExample[] = [
    [
      `SET|REPLACE THE? ${phraseName} @ (from {${type}:from})? TO|WITH {${type}:to} @`,
      `Change the ${noun} everywhere to ${newExample}`,
    ],
    [
      `SET|REPLACE? (THE? ${phraseName})? {${type}:from} @ TO|WITH|BECOMES {${type}:to} @`,
      `Replace the ${noun} ${oldExample} with ${newExample} everywhere`,
    ],
    [
      `THE? ${phraseName} CHANGED (from {${type}:from})? to {${type}:to} @`,
      `Our ${noun} changed from ${oldExample} to ${newExample}`,
    ],
    [`THE? new ${phraseName} is|: {${type}:to} @`, `Our new ${noun} is ${newExample}`],
    [
      `THE? ${phraseName} is now {${type}:to} (NOT {${type}:from})? @`,
      `Our ${noun} is now ${newExample}, not ${oldExample}`,
    ],
  ];
  return {
    wordings,
    read: ({ from, to, pages }) => ({
      kind: 'contact',
      what,
      to: to!,
      ...withoutUndefined({ from, slugs: pages === 'everywhere' ? undefined : pages }),
    }),
  };
};

const readPrice: InstructionKind['read'] = ({ name, from, to, pages = null }) =>
  // "New price for Basic" is about no package called "New"
  name !== undefined && (!/\p{L}/u.test(name) || /^(?:new|prices?|.*year|\w+days?)$/i.test(name))
    ? null
    : { kind: 'price', to: to!, slugs: pages, ...withoutUndefined({ name, from }) };

const createRaiseReader =
  (sign: 1 | -1): InstructionKind['read'] =>
  ({ percent, pages = null }) => ({ kind: 'raise', percent: sign * percent!, slugs: pages });

const NAMED_PACKAGE = 'THE? {words:name} PACKAGE?';
const TO_AMOUNT = 'to {amount:to}';
const WAS_AMOUNT = '(WAS {amount:from})?';

/** Instructions that change facts about a business: contacts, copyright year, prices and name. */
export const factWordings: Record<string, InstructionKind> = {
  telephone: createContactKind('telephone', [
    'phone',
    'phone number',
    '+1 303 555 0100',
    '+1 303 555 0177',
  ]),
  email: createContactKind('email', [
    'email',
    'e-mail',
    'hello@acme.example',
    'office@acme.example',
  ]),
  year: {
    wordings: [
      [
        'SET|bump THE? YEAR IN_FOOTER? (from {year:from})? to {year} IN_FOOTER? EVERYWHERE?',
        'Change the copyright year to 2027',
      ],
      [
        'THE? YEAR|footer IN_FOOTER? (should|must now? be|say|read)? (CHANGED (from {year:from})?)? to? {year} EVERYWHERE?',
        'The year in the footer should be 2027',
      ],
      ['SET THE? YEAR IN_FOOTER?', 'Update the year in the footer'],
    ],
    read: ({ from, year }) => ({
      kind: 'year',
      year: year ?? String(new Date().getUTCFullYear()),
      ...withoutUndefined({ from }),
    }),
  },
  price: {
    wordings: [
      [
        `SET|RAISE|LOWER THE? PRICE of|for ${NAMED_PACKAGE} @ (from {amount:from})? ${TO_AMOUNT} ${WAS_AMOUNT} @`,
        'Set the price of Basic to $7',
      ],
      [
        `SET|RAISE|LOWER THE? {words:name} PACKAGE? 's? PRICE @ (from {amount:from})? ${TO_AMOUNT} ${WAS_AMOUNT} @`,
        "Change Basic's price to $7",
      ],
      [
        `SET|RAISE|LOWER ${NAMED_PACKAGE} @ (from {sum:from})? to {sum:to} ${WAS_AMOUNT} @`,
        'Set Basic to $7',
      ],
      [
        `NOW? ,? ${NAMED_PACKAGE} 's? PRICE? @ COSTS|WENT (from {amount:from})? to? {sum:to} NOW? ${WAS_AMOUNT} @`,
        'The Basic plan now costs $7',
      ],
      [
        `THE? new? PRICE of|for ${NAMED_PACKAGE} @ COSTS|WENT|: (from {amount:from})? to? {sum:to} NOW? ${WAS_AMOUNT} @`,
        'The price of Basic is now $7',
      ],
      [
        `${NAMED_PACKAGE} 's? PRICE? @ :|to|->|at? {sum:to} ${WAS_AMOUNT} @`,
        'Basic plan: $7 instead of $5',
      ],
      [
        'SET|REPLACE WHICH? THE? PRICE @ from? {amount:from} @ TO|WITH {amount:to} @',
        'Change the price from $5 to $7 on /pricing',
      ],
    ],
    read: readPrice,
  },
  raise: {
    wordings: [['RAISE PRICES @ by? {percent} @', 'Raise all prices by 10 %']],
    read: createRaiseReader(1),
  },
  lower: {
    wordings: [['LOWER PRICES @ by? {percent} @', 'Lower all prices by 10 %']],
    read: createRaiseReader(-1),
  },
  company: {
    wordings: [
      [
        'rename|call|rebrand THE? COMPANY (from {label:from})? EVERYWHERE? to|as {label:to} EVERYWHERE?',
        'Rename the company to "Acme Works" everywhere',
      ],
      [
        "SET THE? (COMPANY 's?)? name (of THE COMPANY)? (from {label:from})? EVERYWHERE? to {label:to} EVERYWHERE?",
        'Change the company name from "Acme" to "Acme Works"',
      ],
      [
        '(we are)? (our COMPANY is)? now? called {label:to} now? (NOT {label:from})? EVERYWHERE?',
        'We are now called "Acme Works", not "Acme"',
      ],
      [
        "our (COMPANY 's?)? name is now? {label:to} now? (NOT {label:from})? EVERYWHERE?",
        'Our name is now "Acme Works"',
      ],
      [
        'we have? changed our name (from {label:from})? to {label:to} EVERYWHERE?',
        'We changed our name from Acme to "Acme Works"',
      ],
    ],
    read: ({ from = 'none', to = '' }) =>
      /\p{L}/u.test(from) && /\p{L}/u.test(to)
        ? { kind: 'company', to, ...(from !== 'none' && { from }) }
        : null,
  },
};
