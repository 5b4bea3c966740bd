import { defined } from '../../../../contract/defined.ts';
import type { ItemKind } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import { onPage, type Row } from './row.ts';

const KINDS: [ItemKind, RegExp][] = [
  ['card', /card|tile|box|grid|package|plan/],
  ['table-row', /row|table/],
  ['question', /question|faq/],
  ['list-item', /list|bullet/],
];

/** The kind of an item, according to the prompt's word for the item or its group. */
const kindOf = ({ item = '', items = '', group = '' }: Found): ItemKind =>
  KINDS.find(([, pattern]) => [item, items, group].some((name) => pattern.test(name)))?.[0] ??
  'any';

const NOUNS = /^(?:testimonial|quote|review|team member|member|person|people|package|plan|step)$/;

/** The prompt's word for an item, if it describes the content: `testimonial`, but not `card`. */
function nounIn({ item, items, group = '' }: Found): { noun?: string } {
  const said = item ?? items ?? group;
  const noun = said === 'team' ? 'team member' : said.replace(/s$/, '');
  return NOUNS.test(noun) ? { noun } : {};
}

const add = onPage((found, page) => {
  const { question, answer, texts, section, after } = found;
  return {
    kind: 'add',
    item: question === undefined ? kindOf(found) : 'question',
    ...nounIn(found),
    texts: texts ?? [question!, answer!],
    ...defined({ section, after }),
    page,
  };
});

const remove = onPage((found, page) => {
  const { item, group, pages, now, position, section } = found;
  const isItem = item !== undefined || group !== undefined;
  // `Remove "Free parking" from /rooms` may mean an item, but a single word may be any text
  if (!isItem && (pages === undefined || !now?.includes(' '))) return null;
  return {
    kind: 'remove',
    item: kindOf(found),
    ...nounIn(found),
    ...defined({ now, position, section }),
    page,
  };
});

const swap = onPage((found, page) => ({
  kind: 'swap',
  item: kindOf(found),
  ...nounIn(found),
  members: [found.first, found.second].filter((member) => member !== undefined),
  ...defined({ section: found.section }),
  page,
}));

const UNDER = 'UNDER the? (heading|subheading|headline|section)? {quote:section} section?';
const BELOW = `(${UNDER})?`;
const AFTER = '(after|behind {quote:after})?';

const A_NEW = '(the|a|an|another)? new?';
const THESE_NEW = '(this|these|the|a|an|another)? (following|new)?';
const IN_GROUP = '(to|in|into the? {group})?';
const OF_GROUP = '(from|in|of the? {group})?';

/** Instructions for members of groups: cards, list items, questions, table rows. */
export const itemRows: Record<string, Row> = {
  add: {
    wordings: [
      [
        `ADD ${A_NEW} ({item} CALLED?)? {texts} (to|in|into) the? {group} ${BELOW} @ ${AFTER} @`,
        'Add "Free parking" to the list under "Amenities" on /rooms',
      ],
      [
        `ADD ${A_NEW} ({item} CALLED?)? {texts} to? ${UNDER} @ ${AFTER} @`,
        'Add the card "Pro", "$99" under "Plans" on /pricing',
      ],
      [
        `ADD ${A_NEW} question {quote:question} with? (the|an|as)? answer :? {quote:answer} ${IN_GROUP} ${BELOW} @ ${AFTER} @`,
        'Add a question "Is it safe?" with the answer "Yes." on /faq',
      ],
      [
        `ADD ${A_NEW} question ,? : {quote:question} ,? ANSWER? :? {quote:answer} ${IN_GROUP} ${BELOW} @`,
        'Add a question: "Is it safe?" "Yes." on /faq',
      ],
      [
        'ADD (this|the|a|an)? new? question to|in the? {group} @ ,? : {quote:question} ,? ANSWER? :? {quote:answer}',
        'Add this question to the FAQ on /faq: "Is it safe?" Answer: "Yes."',
      ],
      [
        `ADD {texts} as (a|an|another)? new? {item} ${BELOW} @ ${AFTER} @`,
        'Add "Ann Lee", "Baker" as a team member on /about',
      ],
      [
        `ADD ${A_NEW} {item} CALLED? :? {texts} @ ${AFTER} @`,
        'Add a team member "Ann Lee", "Baker" on /about',
      ],
      [
        `ADD? ${THESE_NEW} QUESTION ${IN_GROUP} ${BELOW} @into ${BELOW} ,? :? (question|q :)? {quote:question} ,? and? ANSWER? :|-|–? {quote:answer}`,
        'Add this FAQ to the pricing page: Question: "Is it safe?" Answer: "Yes."',
      ],
      [
        'ADD (this|the|a|an|another)? new? question @into ,? : {quote:question} ,? and? ANSWER? :? {quote:answer}',
        'Add a question to /faq: "Is it safe?" with the answer "Yes."',
      ],
      [
        'ADD (this|the|a|an|another)? new? question @into {quote:question} ,? and? ANSWER? :? {quote:answer}',
        'Add the question on /faq "Is it safe?", answer: "Yes."',
      ],
      [
        `ADD ${THESE_NEW} {item_:item} ${IN_GROUP} ${BELOW} @into ${BELOW} ,? : {texts}`,
        'Add a team member to /about: "Ann Lee", "Baker"',
      ],
      [
        `ADD ${THESE_NEW} {item_:item} ${IN_GROUP} ${BELOW} @into ${BELOW} ,? : {several:texts}`,
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
        `add|include|insert {parts:texts} ,? to|in|into THE? {group} ${BELOW} @ ${AFTER} @`,
        'Add Ann Lee, Head of Support, to our team on /about',
      ],
      [
        `add|include|insert {several:texts} ,? as (a|an|another|our)? new? {item} ${BELOW} @ ${AFTER} @`,
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
    wordings: [
      [
        'REMOVE the? {item} CALLED? {quote:now} from|in|of|on THE? {page:of} {group}',
        'Remove the question "Is it safe?" from the pricing FAQ',
      ],
      [
        `REMOVE the? {item} CALLED? {quote:now} ${OF_GROUP} ${BELOW} @from`,
        'Remove the card "Basic" from /pricing',
      ],
      [
        `REMOVE the? {quote:now} {item} ${OF_GROUP} ${BELOW} @from`,
        'Hide the "Basic" card on /pricing',
      ],
      [
        `REMOVE {value:now} from|in|of THE? {group} ${BELOW} @from`,
        'Remove "Breakfast" from the list on /rooms',
      ],
      [
        `REMOVE the? {position} {item} ${OF_GROUP} ${BELOW} @from`,
        'Remove the second card from /pricing',
      ],
      [`REMOVE the? {item} {position} ${BELOW} @from`, 'Remove card 2 on /pricing'],
      [
        `REMOVE THE? {words:now} {item} ${OF_GROUP} ${BELOW} @from`,
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
    wordings: [
      [
        `SWAP ORDER_OF? the? (two|both)? {items} ${BELOW} @ WHOLLY? @`,
        'Swap the two testimonials on /about',
      ],
      [
        `SWAP ORDER_OF? the? {position:first} and|with {position:second} {item_:item} ${BELOW} @ WHOLLY? @`,
        'Swap the first and second card on /pricing',
      ],
      [
        `SWAP ORDER_OF? the? ({item_:item})? {value:first} and|with|for the? {value:second} ({item_:item})? ${BELOW} @ WHOLLY? @`,
        'Swap the cards "Basic" and "Pro" on /pricing',
      ],
      [
        `SWAP ORDER_OF? the? {words:first} and|with|for the? {words:second} {item_:item} ${BELOW} @ WHOLLY? @`,
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
