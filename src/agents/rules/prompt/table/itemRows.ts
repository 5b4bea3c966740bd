import { defined } from '../../../../contract/defined.ts';
import type { ItemKind, PageName } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import { pageIn, textIn, type Row } from './row.ts';

const KINDS: [ItemKind, RegExp][] = [
  ['card', /card|tile|box|grid|package|plan/],
  ['table-row', /row|table/],
  ['question', /question|faq/],
  ['list-item', /list|bullet/],
];

/** What the words of a prompt call an item: itself, or else its group. */
function kindIn(found: Found): ItemKind {
  const names = [textIn(found, 'item'), textIn(found, 'items'), textIn(found, 'group')].map(
    (name) => name ?? '',
  );
  return KINDS.find(([, pattern]) => names.some((name) => pattern.test(name)))?.[0] ?? 'any';
}

/** What the items are called, where that is more than how they are built. */
function nounIn(found: Found): { noun?: string } {
  const said = textIn(found, 'item') ?? textIn(found, 'items') ?? textIn(found, 'group') ?? '';
  const word = said === 'team' ? 'team member' : said.replace(/s$/, '');
  return NOUNS.test(word) ? { noun: word } : {};
}

const NOUNS = /^(?:testimonial|quote|review|team member|member|person|people|package|plan|step)$/;

const add: Row['read'] = (found) => {
  const [page, section, after] = [pageIn(found), textIn(found, 'section'), textIn(found, 'after')];
  if (page === undefined) return null;
  const isQuestion = found['first'] !== undefined;
  const texts = (found['texts'] as string[] | undefined) ?? [
    textIn(found, 'first')!,
    textIn(found, 'second')!,
  ];
  return {
    kind: 'add',
    item: isQuestion ? 'question' : kindIn(found),
    ...nounIn(found),
    texts,
    ...defined({ section, after }),
    page,
  };
};

const remove: Row['read'] = (found) => {
  const of = found['of'] as PageName | undefined;
  if (
    found['item'] === undefined &&
    found['group'] === undefined &&
    (found['pages'] === undefined || !textIn(found, 'now')?.includes(' '))
  )
    return null;
  const [page, section, now] = [pageIn(found), textIn(found, 'section'), textIn(found, 'now')];
  const position = found['position'] as number | undefined;
  return page === undefined
    ? null
    : {
        kind: 'remove',
        item: kindIn(found),
        ...nounIn(found),
        ...defined({ now, position, section }),
        page: of ?? page,
      };
};

const swap: Row['read'] = (found) => {
  const [page, section] = [pageIn(found), textIn(found, 'section')];
  const members = [found['first'], found['second']].filter((member) => member !== undefined) as (
    | string
    | number
  )[];
  return page === undefined
    ? null
    : {
        kind: 'swap',
        item: kindIn(found),
        ...nounIn(found),
        members,
        ...defined({ section }),
        page,
      };
};

const UNDER = 'UNDER the? (heading|subheading|headline|section)? {quote:section} section?';
const AFTER = '(after|behind {quote:after})?';

/** Cards, list items, questions, rows: whatever stands several times side by side. */
export const itemRows: Record<string, Row> = {
  add: {
    hint: 'Add the card "…", "…" under {heading} on {page}',
    wordings: [
      [
        `ADD (the|a|an|another)? new? ({item} CALLED?)? {texts} (to|in|into) the? {group} (${UNDER})? @ ${AFTER} @`,
        'Add "Free parking" to the list under "Amenities" on /rooms',
      ],
      [
        `ADD (the|a|an|another)? new? ({item} CALLED?)? {texts} to? ${UNDER} @ ${AFTER} @`,
        'Add the card "Pro", "$99" under "Plans" on /pricing',
      ],
      [
        `ADD (the|a|an|another)? new? question {quote:first} with? (the|an|as)? answer :? {quote:second} (to|in|into the? {group})? (${UNDER})? @ ${AFTER} @`,
        'Add a question "Is it safe?" with the answer "Yes." on /faq',
      ],
      [
        `ADD (the|a|an|another)? new? question ,? : {quote:first} ,? ANSWER? :? {quote:second} (to|in|into the? {group})? (${UNDER})? @`,
        'Add a question: "Is it safe?" "Yes." on /faq',
      ],
      [
        'ADD (this|the|a|an)? new? question to|in the? {group} @ ,? : {quote:first} ,? ANSWER? :? {quote:second}',
        'Add this question to the FAQ on /faq: "Is it safe?" Answer: "Yes."',
      ],
      [
        `ADD {texts} as (a|an|another)? new? {item} (${UNDER})? @ ${AFTER} @`,
        'Add "Ann Lee", "Baker" as a team member on /about',
      ],
      [
        `ADD (the|a|an|another)? new? {item} CALLED? :? {texts} @ ${AFTER} @`,
        'Add a team member "Ann Lee", "Baker" on /about',
      ],
      [
        `ADD? (this|these|the|a|an|another)? (following|new)? QUESTION (to|in|into the? {group})? (${UNDER})? @into (${UNDER})? ,? :? (question|q :)? {quote:first} ,? and? ANSWER? :|-|–? {quote:second}`,
        'Add this FAQ to the pricing page: Question: "Is it safe?" Answer: "Yes."',
      ],
      [
        'ADD (this|the|a|an|another)? new? question @into ,? : {quote:first} ,? and? ANSWER? :? {quote:second}',
        'Add a question to /faq: "Is it safe?" with the answer "Yes."',
      ],
      [
        'ADD (this|the|a|an|another)? new? question @into {quote:first} ,? and? ANSWER? :? {quote:second}',
        'Add the question on /faq "Is it safe?", answer: "Yes."',
      ],
      [
        `ADD (this|these|the|a|an|another)? (following|new)? {item_:item} (to|in|into the? {group})? (${UNDER})? @into (${UNDER})? ,? : {texts}`,
        'Add a team member to /about: "Ann Lee", "Baker"',
      ],
      [
        `ADD (this|these|the|a|an|another)? (following|new)? {item_:item} (to|in|into the? {group})? (${UNDER})? @into (${UNDER})? ,? : {several:texts}`,
        'Add a new team member to /about: Ann Lee, Head of Support',
      ],
      [
        '(a|our|some)? new {item_:item} @into ,? : {several:texts}',
        'New team member on the about page: Ann Lee, Baker',
      ],
      [
        '(a|our|some)? new {item_:item} @into ,? :? {texts}',
        'New team member on /about: "Ann Lee", "Baker"',
      ],
      [
        `add|include|insert {parts:texts} ,? to|in|into THE? {group} (${UNDER})? @ ${AFTER} @`,
        'Add Ann Lee, Head of Support, to our team on /about',
      ],
      [
        `add|include|insert {several:texts} ,? as (a|an|another|our)? new? {item} (${UNDER})? @ ${AFTER} @`,
        'Add Ann Lee, Head of Support, as a team member on /about',
      ],
      [
        `ADD (the|a|an|another|our)? new? {item} CALLED? :? ,? {several:texts} ,? @ ${AFTER} @`,
        'Add a team member: Ann Lee, Head of Support, on /about',
      ],
    ],
    read: add,
  },
  remove: {
    hint: 'Remove the card {item} from {page}',
    wordings: [
      [
        'REMOVE the? {item} CALLED? {quote:now} from|in|of|on THE? {page:of} {group}',
        'Remove the question "Is it safe?" from the pricing FAQ',
      ],
      [
        `REMOVE the? {item} CALLED? {quote:now} (from|in|of the? {group})? (${UNDER})? @from`,
        'Remove the card "Basic" from /pricing',
      ],
      [
        `REMOVE the? {quote:now} {item} (from|in|of the? {group})? (${UNDER})? @from`,
        'Hide the "Basic" card on /pricing',
      ],
      [
        `REMOVE {value:now} from|in|of THE? {group} (${UNDER})? @from`,
        'Remove "Breakfast" from the list on /rooms',
      ],
      [
        `REMOVE the? {position} {item} (from|in|of the? {group})? (${UNDER})? @from`,
        'Remove the second card from /pricing',
      ],
      [`REMOVE the? {item} {position} (${UNDER})? @from`, 'Remove card 2 on /pricing'],
      [
        `REMOVE THE? {words:now} {item} (from|in|of the? {group})? (${UNDER})? @from`,
        'Remove the Basic plan from /pricing',
      ],
      ['REMOVE {value:now} @from', 'Remove "Free parking" from /rooms'],
      [`take THE? {item} CALLED? {quote:now} @off`, 'Take the card "Basic" off /pricing'],
      [`take the? {quote:now} {item} @off`, 'Take the "Basic" card off /pricing'],
      [`take the? {position} {item} @off`, 'Take the second card off /pricing'],
      [`take THE? {words:now} {item} @off`, 'Take the Basic plan off /pricing'],
    ],
    read: remove,
  },
  swap: {
    hint: 'Swap the first and second card under {heading} on {page}',
    wordings: [
      [
        `SWAP ORDER_OF? the? (two|both)? {items} (${UNDER})? @ WHOLLY? @`,
        'Swap the two testimonials on /about',
      ],
      [
        `SWAP ORDER_OF? the? {position:first} and|with {position:second} {item_:item} (${UNDER})? @ WHOLLY? @`,
        'Swap the first and second card on /pricing',
      ],
      [
        `SWAP ORDER_OF? the? ({item_:item})? {value:first} and|with|for the? {value:second} ({item_:item})? (${UNDER})? @ WHOLLY? @`,
        'Swap the cards "Basic" and "Pro" on /pricing',
      ],
      [
        `SWAP ORDER_OF? the? {words:first} and|with|for the? {words:second} {item_:item} (${UNDER})? @ WHOLLY? @`,
        'Swap the order of the basic and pro cards on /pricing',
      ],
      [
        `SWAP ORDER_OF? the? {item} {quote:first} and|with|for the? {item} {quote:second} @`,
        'Swap the card "Basic" with the card "Pro" on /pricing',
      ],
    ],
    read: swap,
  },
};
