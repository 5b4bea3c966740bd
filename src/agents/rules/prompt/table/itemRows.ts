import { defined } from '../../../../contract/defined.ts';
import type { ItemKind } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import { onPage, type Row } from './row.ts';

const KINDS: [ItemKind, RegExp][] = [
  ['card', /card|tile|box|grid|package|plan|tier/],
  ['table-row', /row|table/],
  ['question', /question|faq/],
  ['list-item', /list|bullet/],
];
const NOUNS = /^(?:testimonial|quote|review|team member|member|person|people|package|plan|step)$/;

/** The kind of an item, and the prompt's word for it, if the word describes the content. */
function kindOf({ item, group = '' }: Found): { item: ItemKind; noun?: string } {
  const said = item ?? group;
  const kind = KINDS.find(([, pattern]) => pattern.test(said) || pattern.test(group))?.[0] ?? 'any';
  const noun = said === 'team' ? 'team member' : said.replace(/s$/, '');
  return NOUNS.test(noun) ? { item: kind, noun } : { item: kind };
}

const add = onPage((found, slug) => {
  const { question, answer, texts, section, after } = found;
  return {
    kind: 'add',
    ...kindOf(found),
    ...(question !== undefined && { item: 'question' as const }),
    texts: texts ?? [question!, answer!],
    slug,
    ...defined({ section, after }),
  };
});

const remove = onPage((found, slug) => {
  const { item, group, now, position, section } = found;
  // `Remove "Free parking" from /rooms` may mean an item, but a single word may be any text
  if (item === undefined && group === undefined && (slug === null || !now?.includes(' ')))
    return null;
  return { kind: 'remove', ...kindOf(found), slug, ...defined({ now, position, section }) };
});

const swap = onPage((found, slug) => ({
  kind: 'swap',
  ...kindOf(found),
  members: [found.first, found.second].filter((member) => member !== undefined),
  slug,
  ...defined({ section: found.section }),
}));

const removeSection = (what: 'section' | 'table') =>
  onPage(({ name = '' }, slug) => ({ kind: 'remove-section', what, name, slug }));

const BEFORE = /before|above|on top|ahead|in front|first|last/;
const moveSection = onPage(({ name, other, where }, slug) => ({
  kind: 'move-section',
  name: name!,
  where: where === 'first' || where === 'last' ? where : BEFORE.test(where!) ? 'before' : 'after',
  slug,
  ...defined({ other }),
}));

const BELOW = '(under|below|in the? (heading|headline|section)? {quote:section} section?)?';
const A_NEW = '(this|the|a|an|another)? (following)? new?';
const AFTER = '(after|behind {quote:after})?';

/** Instructions for sections and tables, and for the members of groups: cards, questions, rows. */
export const itemRows: Record<string, Row> = {
  removeSection: {
    wordings: [
      [
        'REMOVE THE? whole? section CALLED? {quote:name} @from',
        'Remove the section "Our story" from /about',
      ],
      [
        'REMOVE THE? whole? {words:name} section|block @from',
        'Hide the "Our story" section on /about',
      ],
    ],
    read: removeSection('section'),
  },
  removeTable: {
    wordings: [
      [
        'REMOVE THE? table (CALLED|under? {quote:name})? @from',
        'Remove the table "Opening hours" from /rooms',
      ],
      ['REMOVE THE? {words:name} table @from', 'Remove the hours table from /rooms'],
    ],
    read: removeSection('table'),
  },
  moveSection: {
    wordings: [
      [
        'MOVE THE? section? {words:name} section? ADVERB? {where} THE? section? {words:other} section? @',
        'Move the section "Our story" above "The team" on /about',
      ],
      [
        'MOVE THE? section? {words:name} section? to the {end:where} @',
        'Move "Our story" to the top of /about',
      ],
    ],
    read: moveSection,
  },
  add: {
    wordings: [
      [
        `ADD ${A_NEW} ({item} CALLED?)? :? {quotes:texts} to|in|into the? {group} ${BELOW} @ ${AFTER}`,
        'Add "Free parking" to the list under "Amenities" on /rooms',
      ],
      [
        `ADD ${A_NEW} {item} CALLED? :? {quotes:texts} ${BELOW} @ ${AFTER}`,
        'Add a team member "Ann Lee", "Baker" on /about',
      ],
      [
        `ADD ${A_NEW} {item} (to|in the? {group})? ${BELOW} @into :? {quotes:texts}`,
        'Add a team member to /about: "Ann Lee", "Baker"',
      ],
      [
        `ADD ${A_NEW} QUESTION ,? :? {quote:question} ,? ANSWER ,? :? {quote:answer} (to|in the? {group})? ${BELOW} @into`,
        'Add a question "Is it safe?" with the answer "Yes." on /faq',
      ],
    ],
    read: add,
  },
  remove: {
    wordings: [
      [
        `REMOVE the? {item} CALLED? {quote:now} (from|in|of the? {group})? ${BELOW} @from`,
        'Remove the card "Basic" from /pricing',
      ],
      [
        `REMOVE the? {position} {item} (from|in|of the? {group})? ${BELOW} @from`,
        'Remove the second card from /pricing',
      ],
      [
        `REMOVE the? {words:now} {item} (from|in|of the? {group})? ${BELOW} @from`,
        'Remove the Basic plan from /pricing',
      ],
      [
        `REMOVE {quote:now} (from|in|of the? {group})? ${BELOW} @from`,
        'Remove "Free parking" from /rooms',
      ],
    ],
    read: remove,
  },
  swap: {
    wordings: [
      [`SWAP the? (two|both)? {item} ${BELOW} @`, 'Swap the two testimonials on /about'],
      [
        `SWAP the? {position:first} and|with the? {position:second} {item} ${BELOW} @`,
        'Swap the first and second card on /pricing',
      ],
      [
        `SWAP (the order|position|positions|places of)? the? {item}? {words:first} and|with|for the? {item}? {words:second} {item}? ${BELOW} @`,
        'Swap the cards "Basic" and "Pro" on /pricing',
      ],
    ],
    read: swap,
  },
};
