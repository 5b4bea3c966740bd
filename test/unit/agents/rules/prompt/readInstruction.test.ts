import { expect } from 'chai';
import { DomainError } from '../../../../../src/errors.ts';
import type { Instruction } from '../../../../../src/agents/rules/prompt/instructions.ts';
import { parsePrompt } from './parsePrompt.ts';
import { expectLinear } from '../../../../helpers/growth.ts';

type Of<Kind extends Instruction['kind']> = Partial<Extract<Instruction, { kind: Kind }>>;
const austin = { slug: '/austin' };
const rome = (more: Of<'create'> = {}): Instruction => ({
  kind: 'create',
  slug: '/rome',
  from: austin,
  fields: [],
  replacements: [],
  ...more,
});
const move = (slug: string, to: string): Instruction => ({ kind: 'move', page: { slug }, to });
const link = (more: Of<'link'>): Instruction => ({
  kind: 'link',
  element: 'link',
  now: 'Pricing',
  pages: [{ slug: '/' }],
  ...more,
});
const alt = (image: string, text: string, slug = '/about'): Instruction => ({
  kind: 'alt',
  image,
  text,
  page: { slug },
});
const text = (more: Of<'text'>): Instruction => ({
  kind: 'text',
  role: 'paragraph',
  page: { slug: '/about' },
  text: 'New',
  ...more,
});

const add = (more: Of<'add'>): Instruction => ({
  kind: 'add',
  item: 'any',
  texts: ['A'],
  page: { slug: '/about' },
  ...more,
});
const remove = (more: Of<'remove'>): Instruction => ({
  kind: 'remove',
  item: 'any',
  now: 'A',
  page: { slug: '/about' },
  ...more,
});

const understood: [string, Instruction[]][] = [
  ['Create /rome from /austin', [rome()]],
  ['Create a page /rome from /austin', [rome()]],
  ['Create a new page at /rome based on the page /austin', [rome()]],
  ['Add a page /rome using /austin as a template', [rome()]],
  ['Make /rome like /austin.', [rome()]],
  ['Copy /austin to /rome', [rome()]],
  ['Duplicate the Austin page as "/rome"', [rome({ from: { title: 'Austin' } })]],
  ['Create /rome.html from /austin/', [rome()]],
  ['Create /rome from /austin called "Rome"', [rome({ name: 'Rome' })]],
  ['Create /rome from /austin with the name "Rome"', [rome({ name: 'Rome' })]],
  [
    'Create /rome from /austin with the title "Rome"',
    [rome({ fields: [{ field: 'title', text: 'Rome' }] })],
  ],
  [
    'Create /rome from /austin with the title "A" and the headline "B", description "C"',
    [
      rome({
        fields: [
          { field: 'title', text: 'A' },
          { field: 'headline', text: 'B' },
          { field: 'description', text: 'C' },
        ],
      }),
    ],
  ],
  [
    'Create /rome from /austin, titled "A", replacing "Austin" with "Rome" and Texas with Lazio',
    [
      rome({
        name: 'A',
        replacements: [
          { from: 'Austin', to: 'Rome' },
          { from: 'Texas', to: 'Lazio' },
        ],
      }),
    ],
  ],
  [
    'Create /rome from /austin and replace "Austin" with "Rome" and change the headline to "H"',
    [
      rome(),
      { kind: 'replace', from: 'Austin', to: 'Rome', pages: [{ slug: '/rome' }] },
      { kind: 'set', field: 'headline', page: { slug: '/rome' }, text: 'H' },
    ],
  ],
  ['Move /about to /company', [move('/about', '/company')]],
  ['Move the page /about to "/company"', [move('/about', '/company')]],
  ['Rename the page /a to /b', [move('/a', '/b')]],
  ['Rename /a to /b', [move('/a', '/b')]],
  ['Rename the about page to /b', [{ kind: 'move', page: { title: 'about' }, to: '/b' }]],
  ['Change the URL of /a to /b', [move('/a', '/b')]],
  [
    'Move /a to /b and change its title to "B"',
    [move('/a', '/b'), { kind: 'set', field: 'title', page: { slug: '/b' }, text: 'B' }],
  ],
  ['Change the link "Pricing" on / to /plans', [link({ target: '/plans' })]],
  [
    'Change the link "Pricing" on / to https://x.example/a?b=c#d.',
    [link({ target: 'https://x.example/a?b=c#d' })],
  ],
  [
    'Change the link "Pricing" on / to "https://x.example/a b"',
    [link({ text: 'https://x.example/a b' })],
  ],
  ['Change the link "Pricing" to "/plans" on /', [link({ target: '/plans' })]],
  ['On /, change the link "Pricing" to /plans', [link({ target: '/plans' })]],
  ['Change the "Pricing" link on / to /plans', [link({ target: '/plans' })]],
  ['Change the target of the link "Pricing" on / to /plans', [link({ target: '/plans' })]],
  ['Point the link "Pricing" on the home page at /plans', [link({ target: '/plans' })]],
  ['Link "Pricing" on / to /plans', [link({ target: '/plans' })]],
  ['Make the link "Pricing" on / lead to the about page', [link({ target: { title: 'about' } })]],
  [
    'Change the link "Pricing" everywhere to /plans',
    [link({ target: '/plans', pages: 'everywhere' })],
  ],
  [
    'Change the link "Pricing" from /pricing to /plans on / and /b',
    [link({ old: '/pricing', target: '/plans', pages: [{ slug: '/' }, { slug: '/b' }] })],
  ],
  [
    'Change the link "Pricing" on / from /pricing to /plans',
    [link({ old: '/pricing', target: '/plans' })],
  ],
  [
    'Change the link "Pricing" from /pricing on / to /plans',
    [link({ old: '/pricing', target: '/plans' })],
  ],
  ['Change the link "Pricing" to /plans', [link({ target: '/plans', pages: null })]],
  ['Change the link "Pricing" on / to "Prices"', [link({ text: 'Prices' })]],
  ['Rename the link "Pricing" on / to "Prices"', [link({ text: 'Prices' })]],
  [
    'Change the text of the button "Go" on / to "Run"',
    [link({ element: 'button', now: 'Go', text: 'Run' })],
  ],
  [
    'Change the button "Go" on / to "Run" and its link to /run',
    [link({ element: 'button', now: 'Go', text: 'Run', target: '/run' })],
  ],
  [
    'Change the button "Go" on / to "Run" and link it to /run',
    [link({ element: 'button', now: 'Go', text: 'Run', target: '/run' })],
  ],
  [
    'Change the button "Go" to "Run", leading to /run on /',
    [link({ element: 'button', now: 'Go', text: 'Run', target: '/run' })],
  ],
  [
    'Change the link "Pricing" on / to javascript:alert(1)',
    [link({ target: 'javascript:alert(1)' })],
  ],
  [
    'Change the link "Pricing" on / to "javascript:alert(1)"',
    [link({ target: 'javascript:alert(1)' })],
  ],
  ['Change the alt text of the image "a.png" on /about to "New"', [alt('a.png', 'New')]],
  ['Change the alt of a.png on /about to "New"', [alt('a.png', 'New')]],
  ['Set the image alt "Old" on /about to "New"', [alt('Old', 'New')]],
  ['On /about, change the description of the picture "Old" to "New"', [alt('Old', 'New')]],
  ['Set the logo "logo.svg" alt text to "New" on /about', [alt('logo.svg', 'New')]],
  ['Change the paragraph under "Our story" on /about to "New"', [text({ section: 'Our story' })]],
  [
    'On /about, change the paragraph below the heading "Our story" to "New"',
    [text({ section: 'Our story' })],
  ],
  [
    'Replace the second paragraph under "Our story" on /about with "New"',
    [text({ section: 'Our story', position: 2 })],
  ],
  [
    'Change the last paragraph in the section "Our story" on /about to "New"',
    [text({ section: 'Our story', position: -1 })],
  ],
  ['Change the paragraph "Old" on /about to "New"', [text({ now: 'Old' })]],
  ['Change the list item "Old" on /about to "New"', [text({ role: 'list-item', now: 'Old' })]],
  [
    'Change the list item "Old" under "Our story" on /about to "New"',
    [text({ role: 'list-item', now: 'Old', section: 'Our story' })],
  ],
  [
    'Change the 2nd item in the list under "Our story" on /about to "New"',
    [text({ role: 'list-item', section: 'Our story', position: 2 })],
  ],
  [
    'Change list item 3 under "Our story" on /about to "New"',
    [text({ role: 'list-item', section: 'Our story', position: 3 })],
  ],
  [
    'Change the heading "Our story" on /about to "New"',
    [text({ role: 'heading', now: 'Our story' })],
  ],
  ['Add "A" to the list under "L" on /about', [add({ item: 'list-item', section: 'L' })]],
  ['On /about, add the item "A" to the list', [add({ item: 'list-item' })]],
  ['Add a bullet point "A" under "L" on /about', [add({ item: 'list-item', section: 'L' })]],
  ['Insert "A" in the list on /about after "B"', [add({ item: 'list-item', after: 'B' })]],
  [
    'Add another card "A" with "B", "C" and "D" to the grid under the heading "L" on /about',
    [add({ item: 'card', texts: ['A', 'B', 'C', 'D'], section: 'L' })],
  ],
  [
    'Add the question "A" with "B" to the FAQ on /about',
    [add({ item: 'question', texts: ['A', 'B'] })],
  ],
  ['Add the row "A", "B" to the table on /about', [add({ item: 'table-row', texts: ['A', 'B'] })]],
  ['Remove the card "A" from /about', [remove({ item: 'card' })]],
  [
    'Remove the second card from /about',
    [{ kind: 'remove', item: 'card', position: 2, page: { slug: '/about' } }],
  ],
  ['Delete the list item "A" on /about', [remove({ item: 'list-item' })]],
  ['Remove "A" from the list under "L" on /about', [remove({ item: 'list-item', section: 'L' })]],
  ['Remove the entry "A" under "L" from /about', [remove({ section: 'L' })]],
  ['On /about, remove the item "A" from the cards', [remove({ item: 'card' })]],
];

const notUnderstood = [
  'Create /rome',
  'Create a page about Rome from /austin',
  'Create /rome from /austin with better words',
  'Create /rome from /austin, replacing the city with Rome',
  'Create rome from /austin',
  'Move /about',
  'Move /about up',
  'Move the section "A" to /b',
  'Rename the page "About" to "Company"',
  'Rename /a to b',
  'Change the link "Pricing" on /',
  'Change the link "Pricing" on / to something better',
  'Change the link Pricing on / to /plans',
  'Change the text of the link "Pricing" on / to /plans',
  'Change the button "Go" on / to red',
  'Change the image "a.png" on /about to "b.png"',
  'Change the paragraph on /about to "New"',
  'Change the paragraph under Our story on /about to "New"',
  'Change the second paragraph on /about to "New"',
  'Change the paragraph under "Our story" on /about',
  'Add "A" to /about',
  'Add a card to the cards on /about',
  'Add free parking to the list on /about',
  'Remove "A" from /about',
  'Remove the text "A" from /about',
  'Remove all cards from /about',
];

describe('readInstruction', () => {
  for (const [prompt, expected] of understood)
    it(`understands: ${prompt}`, () => {
      expect(parsePrompt(prompt)).to.deep.equal(expected);
    });

  for (const prompt of notUnderstood)
    it(`refuses: ${prompt}`, () => {
      expect(() => parsePrompt(prompt))
        .to.throw(DomainError)
        .with.property('code', 'NOT_UNDERSTOOD');
    });

  it('takes time for hostile instructions that grows with their length only', () => {
    const pieces = [
      'change the link \uE0000\uE001 ',
      'on /a ',
      'to ',
      ' and ',
      'the ',
      'page ',
      'Create /a from /b, ',
      'with a ',
    ];
    for (const first of pieces)
      for (const second of pieces) {
        const read = (times: number) => () =>
          parsePrompt(`Change the link "a" ${(first + second).repeat(times)}`);
        expectLinear(30, (times) => expect(read(times)).to.throw(DomainError), first + second);
        expect(() =>
          parsePrompt(`create /x from ${(first + second).repeat(9)}`.slice(0, 300)),
        ).to.throw(DomainError);
      }
  });
});
