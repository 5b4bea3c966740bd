import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import type { ItemKind } from '../promptInstruction.ts';
import type { WordingValues } from './compileShape.ts';
import { readForOnePage, type InstructionKind } from './instructionKind.ts';

const ITEM_KINDS: [ItemKind, RegExp][] = [
  ['card', /card|tile|box|grid|package|plan|tier/],
  ['table-row', /row|table/],
  ['question', /question|faq/],
  ['list-item', /list|bullet/],
];
const ITEM_NOUNS =
  /^(?:testimonial|quote|review|team member|member|person|people|package|plan|step)$/;

/** Reads the prompt's word for members of a group: `quotes` → `{ item: 'any', noun: 'quote' }`. */
function readItemKind({ item, group = '' }: WordingValues): { item: ItemKind; noun?: string } {
  const itemWord = item ?? group;
  const kind =
    ITEM_KINDS.find(([, pattern]) => pattern.test(itemWord) || pattern.test(group))?.[0] ?? 'any';
  const noun = itemWord === 'team' ? 'team member' : itemWord.replace(/s$/, '');
  return ITEM_NOUNS.test(noun) ? { item: kind, noun } : { item: kind };
}

const readAddition = readForOnePage((values, slug) => {
  const { question, answer, texts, section, after } = values;
  return {
    kind: 'add',
    ...readItemKind(values),
    ...(question !== undefined && { item: 'question' as const }),
    texts: texts ?? [question!, answer!],
    slug,
    ...withoutUndefined({ section, after }),
  };
});

const readRemoval = readForOnePage((values, slug) => {
  const { item, group, now: itemText, position, section } = values;
  // `Remove "Free parking" from /rooms` may mean an item, but a single word may be any text
  if (item === undefined && group === undefined && (slug === null || !itemText?.includes(' ')))
    return null;
  return {
    kind: 'remove',
    ...readItemKind(values),
    slug,
    ...withoutUndefined({ now: itemText, position, section }),
  };
});

const readSwap = readForOnePage((values, slug) => ({
  kind: 'swap',
  ...readItemKind(values),
  members: [values.first, values.second].filter((member) => member !== undefined),
  slug,
  ...withoutUndefined({ section: values.section }),
}));

const createSectionRemovalReader = (what: 'section' | 'table') =>
  readForOnePage(({ name = '' }, slug) => ({ kind: 'remove-section', what, name, slug }));

const BEFORE_WORD = /before|above|on top|ahead|in front|first|last/;
const readSectionMove = readForOnePage(({ name, other, where }, slug) => ({
  kind: 'move-section',
  name: name!,
  where:
    where === 'first' || where === 'last' ? where : BEFORE_WORD.test(where!) ? 'before' : 'after',
  slug,
  ...withoutUndefined({ other }),
}));

const BELOW_HEADING = '(under|below|in the? (heading|headline|section)? {quote:section} section?)?';
const A_NEW = '(this|the|a|an|another)? (following)? new?';
const AFTER_ITEM = '(after|behind {quote:after})?';

/** Instructions for sections and tables, and for members of groups: cards, questions, rows. */
export const itemWordings: Record<string, InstructionKind> = {
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
    read: createSectionRemovalReader('section'),
  },
  removeTable: {
    wordings: [
      [
        'REMOVE THE? table (CALLED|under? {quote:name})? @from',
        'Remove the table "Opening hours" from /rooms',
      ],
      ['REMOVE THE? {words:name} table @from', 'Remove the hours table from /rooms'],
    ],
    read: createSectionRemovalReader('table'),
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
    read: readSectionMove,
  },
  add: {
    wordings: [
      [
        `ADD ${A_NEW} ({item} CALLED?)? :? {quotes:texts} to|in|into the? {group} ${BELOW_HEADING} @ ${AFTER_ITEM}`,
        'Add "Free parking" to the list under "Amenities" on /rooms',
      ],
      [
        `ADD ${A_NEW} {item} CALLED? :? {quotes:texts} ${BELOW_HEADING} @ ${AFTER_ITEM}`,
        'Add a team member "Ann Lee", "Baker" on /about',
      ],
      [
        `ADD ${A_NEW} {item} (to|in the? {group})? ${BELOW_HEADING} @into :? {quotes:texts}`,
        'Add a team member to /about: "Ann Lee", "Baker"',
      ],
      [
        `ADD ${A_NEW} QUESTION ,? :? {quote:question} ,? ANSWER ,? :? {quote:answer} (to|in the? {group})? ${BELOW_HEADING} @into`,
        'Add a question "Is it safe?" with the answer "Yes." on /faq',
      ],
    ],
    read: readAddition,
  },
  remove: {
    wordings: [
      [
        `REMOVE the? {item} CALLED? {quote:now} (from|in|of the? {group})? ${BELOW_HEADING} @from`,
        'Remove the card "Basic" from /pricing',
      ],
      [
        `REMOVE the? {position} {item} (from|in|of the? {group})? ${BELOW_HEADING} @from`,
        'Remove the second card from /pricing',
      ],
      [
        `REMOVE the? {words:now} {item} (from|in|of the? {group})? ${BELOW_HEADING} @from`,
        'Remove the Basic plan from /pricing',
      ],
      [
        `REMOVE {quote:now} (from|in|of the? {group})? ${BELOW_HEADING} @from`,
        'Remove "Free parking" from /rooms',
      ],
    ],
    read: readRemoval,
  },
  swap: {
    wordings: [
      [`SWAP the? (two|both)? {item} ${BELOW_HEADING} @`, 'Swap the two testimonials on /about'],
      [
        `SWAP the? {position:first} and|with the? {position:second} {item} ${BELOW_HEADING} @`,
        'Swap the first and second card on /pricing',
      ],
      [
        `SWAP (the order|position|positions|places of)? the? {item}? {words:first} and|with|for the? {item}? {words:second} {item}? ${BELOW_HEADING} @`,
        'Swap the cards "Basic" and "Pro" on /pricing',
      ],
    ],
    read: readSwap,
  },
};
