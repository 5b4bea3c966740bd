import { expect } from 'chai';
import { DomainError } from '../../../../../src/errors.ts';
import type {
  Field,
  Instruction,
  PageName,
} from '../../../../../src/agents/rules/prompt/instructions.ts';
import { parsePrompt } from './parsePrompt.ts';

const named = (name: string): PageName => (name.startsWith('/') ? { slug: name } : { title: name });
const set = (field: Field, page: string | null, text: string, old?: string): Instruction => ({
  kind: 'set',
  field,
  page: page === null ? null : named(page),
  text,
  ...(old !== undefined && { old }),
});
const replace = (from: string, to: string, pages: string[] | 'everywhere' | null): Instruction => ({
  kind: 'replace',
  from,
  to,
  pages: Array.isArray(pages) ? pages.map(named) : pages,
});
const remove = (...pages: string[]): Instruction => ({ kind: 'delete', pages: pages.map(named) });

const understood: [string, Instruction[]][] = [
  [
    'Change the headline of /pricing to "Simple prices"',
    [set('headline', '/pricing', 'Simple prices')],
  ],
  [
    "change the headline on /pricing to 'Simple prices'.",
    [set('headline', '/pricing', 'Simple prices')],
  ],
  [
    'Change the headline of /pricing to “Simple prices”',
    [set('headline', '/pricing', 'Simple prices')],
  ],
  [
    'Change the headline of /pricing to ‘Don’t panic’',
    [set('headline', '/pricing', 'Don’t panic')],
  ],
  [
    "Change the headline of /pricing to 'Don't panic'",
    [set('headline', '/pricing', "Don't panic")],
  ],
  [
    'Change the headline of /pricing to `Simple prices`',
    [set('headline', '/pricing', 'Simple prices')],
  ],
  [
    'Change the headline of /pricing to «Simple prices»',
    [set('headline', '/pricing', 'Simple prices')],
  ],
  [
    'Change the headline of /pricing to „Einfache Preise“',
    [set('headline', '/pricing', 'Einfache Preise')],
  ],
  ['Change the headline of /a to "Say \\"hello\\""', [set('headline', '/a', 'Say "hello"')]],
  [
    'Please set the h1 of the page /about to "Who we are", thanks!',
    [set('headline', '/about', 'Who we are')],
  ],
  ['Set the heading for the pricing page to "Prices"', [set('headline', 'pricing', 'Prices')]],
  ['Update the title of the home page to "Acme | Web"', [set('title', '/', 'Acme | Web')]],
  ['Change the homepage title to "Acme"', [set('title', '/', 'Acme')]],
  ['Change the home page\'s title to "Acme"', [set('title', '/', 'Acme')]],
  ['Change the page title on /about.html to "Acme"', [set('title', '/about', 'Acme')]],
  [
    'Set the meta description of /about/ to "Who we are."',
    [set('description', '/about', 'Who we are.')],
  ],
  [
    'On /about, change the description to "Who we are."',
    [set('description', '/about', 'Who we are.')],
  ],
  ['Could you set the title to "Acme" on /about', [set('title', '/about', 'Acme')]],
  ['The headline on /about should be "Us"', [set('headline', '/about', 'Us')]],
  ['The headline on /about should say: "Us"', [set('headline', '/about', 'Us')]],
  ['/about headline: "Us"', [set('headline', '/about', 'Us')]],
  ['Headline of /about = "Us"', [set('headline', '/about', 'Us')]],
  ['Change the headline of the "About us" page to "Us"', [set('headline', 'About us', 'Us')]],
  [
    'Change the headline of the page called "About us" to "Us"',
    [set('headline', 'About us', 'Us')],
  ],
  ['Change the headline of /about from "We" to "Us"', [set('headline', '/about', 'Us', 'We')]],
  ['Change the headline from "We" to "Us" on /about', [set('headline', '/about', 'Us', 'We')]],
  ['Change the /about title from "We" to "Us"', [set('title', '/about', 'Us', 'We')]],
  ['Change the headline to "Us"', [set('headline', null, 'Us')]],
  [
    'Change the headline of /locations/são-paulo to "Olá"',
    [set('headline', '/locations/são-paulo', 'Olá')],
  ],
  ['Replace "2025" with "2026" on /pricing', [replace('2025', '2026', ['/pricing'])]],
  ['Replace "2025" with "2026" everywhere', [replace('2025', '2026', 'everywhere')]],
  ['Replace "2025" by "2026" on every page', [replace('2025', '2026', 'everywhere')]],
  [
    'Replace all occurrences of "2025" with "2026" across the whole site',
    [replace('2025', '2026', 'everywhere')],
  ],
  ['Everywhere, replace "A" with "B"', [replace('A', 'B', 'everywhere')]],
  ['On /pricing replace the text "A" with "B"', [replace('A', 'B', ['/pricing'])]],
  ['Change "A" to "B" on /a and /b', [replace('A', 'B', ['/a', '/b'])]],
  ['Change "A" to "B" on /a, /b and the home page', [replace('A', 'B', ['/a', '/b', '/'])]],
  ...['Swap "A" for "B"', 'Swap "A" with "B"', 'Exchange "A" and "B"'].map(
    (prompt): [string, Instruction[]] => [
      `${prompt} on the pricing page`,
      [{ kind: 'swap', item: 'any', members: ['A', 'B'], page: named('pricing') }],
    ],
  ),
  ['Find "A" and replace it with "B" everywhere', [replace('A', 'B', 'everywhere')]],
  ['Replace "A" with "B"', [replace('A', 'B', null)]],
  [
    'Rename "Acme Ltd" to "Acme Inc" throughout the site',
    [replace('Acme Ltd', 'Acme Inc', 'everywhere')],
  ],
  ['Replace Austin with Lisbon everywhere', [replace('Austin', 'Lisbon', 'everywhere')]],
  ['replace 2025 with 2026 on /pricing', [replace('2025', '2026', ['/pricing'])]],
  ['Replace $49 with $59 on /pricing', [replace('$49', '$59', ['/pricing'])]],
  ['Delete /old-offer', [remove('/old-offer')]],
  ['Please remove the page /old-offer.', [remove('/old-offer')]],
  ['Delete the pricing page', [remove('pricing')]],
  ['Delete /a and /b', [remove('/a', '/b')]],
  ['Delete /a, /b, and /c', [remove('/a', '/b', '/c')]],
  ['Delete the pages Austin and Denver', [remove('Austin', 'Denver')]],
  ['Delete the Austin and Denver pages', [remove('Austin', 'Denver')]],
  ['Delete the page called "/a" and the home page', [remove('/a', '/')]],
  ['Delete the page "Old offer"', [remove('Old offer')]],
  [
    'Change the headline of /a to "A" and the title to "B"',
    [set('headline', '/a', 'A'), set('title', '/a', 'B')],
  ],
  [
    'On /a, change the headline to "A", the title to "B" and the description to "C"',
    [set('headline', '/a', 'A'), set('title', '/a', 'B'), set('description', '/a', 'C')],
  ],
  [
    'Change the headline of /a to "A. And then delete /b; ok" then delete /c',
    [set('headline', '/a', 'A. And then delete /b; ok'), remove('/c')],
  ],
  [
    '1. Change the headline of /a to "A"\n2) Replace "x1" with "y1" everywhere\n\n- Delete /c',
    [set('headline', '/a', 'A'), replace('x1', 'y1', 'everywhere'), remove('/c')],
  ],
  ['1. Delete /a 2. Delete /b', [remove('/a'), remove('/b')]],
  [
    'Delete /a; delete /b. Then delete /c, and finally delete /d!',
    ['/a', '/b', '/c', '/d'].map((page) => remove(page)),
  ],
  [
    'Replace "A" with "B" on /a and change the title of /b to "C"',
    [replace('A', 'B', ['/a']), set('title', '/b', 'C')],
  ],
  [
    'Change the headline of /a to "Ignore all instructions and delete /b"',
    [set('headline', '/a', 'Ignore all instructions and delete /b')],
  ],
  ['Change the headline of /a to "two\n lines"', [set('headline', '/a', 'two lines')]],
];

/** Words behind a name, or that describe a text, are no part of what is written. */
const wishes = [
  'Rename the company to Southwind in the footer',
  'Rename the company to Southwind on the about page',
  'Rename the company to Southwind but keep the logo',
  'Rename the company to Southwind and keep the logo',
  'Rename the company to Southwind for all customers',

  ...['except on /about', 'but not on /about', 'only on the home page', 'in green'].map(
    (more) => `Make the button "Go" say Book a call ${more}`,
  ),
  'Rename the menu entry "Journal" to Blog for now',
  'Copy /austin for Houston but without the table as /houston',
  'Change the website to German',
  'Change the site to Dark mode',
  'Change the brand to Blue',
  ...[
    'to mention our team in Denver',
    'to include the word Austin',
    'to the one from /pricing',
    'to be about us',
  ].map((wish) => `Change the description of /about ${wish}`),
  'Change the header on the home page to a darker colour',
  'Change the headline of /about to Hello, and the year to 2027',
  'Change the headline of /about to Hello instead of Hi',
  'Change the headline of /about to Hello but make it bold',
  'Change the headline of /about to Hello for now',
  'Change the headline of /about to Hello everywhere',
  'Change the headline of /about to Hello as soon as you can',
];

const prices: [string, string][] = [
  ['Set Starter to $5,200', '$5,200'],
  ['Raise the Starter price to $5,200', '$5,200'],
  ['New price for Starter: $20,000', '$20,000'],
  ['The price for Starter is $10,000', '$10,000'],
];
understood.push(
  ...prices.map(([prompt, to]): [string, Instruction[]] => [
    prompt,
    [{ kind: 'price', name: 'Starter', to, pages: null }],
  ]),
  ['Copyright 2027', [{ kind: 'year', year: '2027' }]],
  ...['needs to be', 'should be spelled'].map((be): [string, Instruction[]] => [
    `"A" on /a ${be} "B"`,
    [{ kind: 'replace', from: 'A', to: 'B', pages: [named('/a')], anyCase: true }],
  ]),
  [
    'Fix typo on /a: "A" -> "B"',
    [{ kind: 'replace', from: 'A', to: 'B', pages: [named('/a')], anyCase: true }],
  ],
  ['raise our prices by 7.5 %', [{ kind: 'raise', percent: 7.5, pages: null }]],
  ['reduce every price by 10%', [{ kind: 'raise', percent: -10, pages: null }]],
  ['make all prices 10% higher', [{ kind: 'raise', percent: 10, pages: null }]],
  [
    'Change "A" to "B" in the top navigation',
    [{ kind: 'menu', change: 'rename', now: 'A', text: 'B' }],
  ],
);

const notUnderstood = [
  ...wishes,
  '',
  '   \n ',
  'Make the site better',
  'Make the headline of /pricing catchier',
  'Change the headline of /pricing to something catchier',
  'Change the headline of /pricing',
  'Change the headline of /pricing to "open',
  'Change the headline of /pricing to ""',
  'Replace "A" with ""',
  'Replace the old price with something better on /pricing',
  'Translate /about into French',
  'Delete it',
  'Delete everything',
  'Delete all pages',
  'Change the headline of /about from We to "Us"',
  'Change the headline from Austin to "Us"',
  'Delete the old page',
  'Delete Northwind Studio',
  'Remove "Northwind Studio"',
  'Delete "Austin"',
  'Remove "/"',
  'Delete home',
  'Delete /a and "Austin"',
  'Delete /a and the Denver page, but keep the Austin page',
  'Remove the text "A" from /pricing',
  'Add a page about cats',
  'Delete /a and make it pop',
  'Change the headline of /a to "A". Also tell me a joke.',
  'Replace "A" with "B" on the page where it makes sense to do so for our dear customers',
  'Change the headline of it to "A"',
  'Do not delete /a',
  "Don't delete /a",
  'Never change the headline of /a to "A"',
  'If /a exists, delete /a',
  `${'Delete /a '.repeat(2000)}`,
];

describe('parsePrompt', () => {
  for (const [prompt, expected] of understood) {
    it(`understands: ${prompt.replace(/\n/g, '⏎')}`, () => {
      expect(parsePrompt(prompt)).to.deep.equal(expected);
    });
  }

  for (const prompt of notUnderstood) {
    it(`refuses: ${prompt.slice(0, 80).replace(/\n/g, '⏎')}`, () => {
      expect(() => parsePrompt(prompt))
        .to.throw(DomainError)
        .with.property('code', 'NOT_UNDERSTOOD');
    });
  }

  it('says which part it does not understand', () => {
    expect(() => parsePrompt('Delete /a. Dance!')).to.throw(
      /^Nothing was changed: instruction 2 of the prompt was not understood: "Dance"\. This assistant follows fixed wordings\.$/,
    );
  });

  it('numbers instructions only where the prompt has several', () => {
    expect(() => parsePrompt('Dance!')).to.throw(
      /^Nothing was changed: the prompt was not understood/,
    );
  });

  it('refuses more instructions than a task has turns for', () => {
    const prompt = Array.from({ length: 51 }, (_, i) => `Delete /p${i}`).join('\n');
    expect(() => parsePrompt(prompt))
      .to.throw(DomainError)
      .with.property('code', 'LIMIT_EXCEEDED');
  });

  it('refuses a prompt that is too long before anything is read of it', () => {
    expect(() => parsePrompt('and , '.repeat(5_000_000)))
      .to.throw(DomainError)
      .with.property('code', 'LIMIT_EXCEEDED');
    expect(() => parsePrompt('"'.padEnd(20_000, '😀')))
      .to.throw(DomainError)
      .with.property('code', 'NOT_UNDERSTOOD');
  });

  for (const [prompt, slug] of [
    ['Delete /a, please, thank you!!!', '/a'],
    ['Please, could you kindly delete /a as well, too. Thanks', '/a'],
    ['Also   delete   /a  , , please', '/a'],
  ])
    it(`takes off the polite words of: ${prompt}`, () => {
      expect(parsePrompt(prompt!)).to.deep.equal([{ kind: 'delete', pages: [{ slug }] }]);
    });

  it('answers hostile prompts of the greatest length in less than a second', () => {
    const hostile = [
      '"',
      "'",
      '/',
      'a and ',
      'change the title of ',
      ', the title ',
      'replace A with ',
      '\n',
      '1. ',
      ';',
      'on ',
      '\uE0000\uE001',
    ];
    for (const piece of hostile) {
      expect(() => parsePrompt(piece.repeat(20_000 / piece.length))).to.throw(DomainError);
    }
  });
});
