import { defined } from '../../../../contract/defined.ts';
import { onPage, type Row } from './row.ts';

const field = onPage(({ field, text, old }, page) => ({
  kind: 'set',
  field: field!,
  page,
  text: text!,
  ...defined({ old }),
}));

const replace: Row['read'] = ({ from, to, of, pages = null }) => ({
  kind: 'replace',
  from: from!,
  to: to!,
  pages: of ? [of] : pages,
});

/** Corrects a word in any letter case. */
const correct: Row['read'] = ({ from, to, pages = null }) => ({
  kind: 'replace',
  from: from!,
  to: to!,
  pages,
  anyCase: true,
});

const part = onPage(({ part, now, section, position, text }, page) => {
  const role =
    part === 'paragraph' ? 'paragraph' : part!.endsWith('heading') ? 'heading' : 'list-item';
  return now === undefined && role === 'heading'
    ? null
    : { kind: 'text', role, ...defined({ now, section, position }), page, text: text! };
});

const alt = onPage(({ image, text }, page) => ({
  kind: 'alt',
  image: image!,
  text: text!,
  page,
}));

const FROM = '(from {quote:old})?';
const UNDER = 'UNDER the? (heading|subheading|headline|section)? {quote:section} section?';
const LIST = '(in|of|from|on the? list)?';

/** Instructions for texts: titles and headlines, paragraphs and list items, any words. */
export const textRows: Record<string, Row> = {
  headline: {
    wordings: [
      [
        `SET? THE? {field} @ ${FROM} TO {rest:text} @`,
        'Change the headline of /pricing to "Simple prices"',
      ],
      [`SET? THE? {field} ${FROM} @ TO {rest:text} @`, 'Set the h1 to Simple prices on /pricing'],
      [
        `SET? {page:of} 's? {field} ${FROM} TO {rest:text}`,
        'Change the home page\'s title to "Acme | Web design"',
      ],
      ['give {page:of} THE? new? {field} {quote:text}', 'Give /about the description "Who we are"'],
      [
        'THE? {field} @ is wrong|outdated|incorrect|old|missing ,? IT_IS|SHOULD_BE {rest:text}',
        'The headline on /about is wrong. It should be "Us"',
      ],
      ['use {rest:text} as THE? new? {field} @', 'Use "Simple prices" as the headline on /pricing'],
      [
        '(let|make|have)? {page:of} should? SAY {quote:text} as|in THE? new? {field}',
        'Let the pricing page say "Simple prices" as its headline',
      ],
    ],
    read: field,
  },
  typo: {
    wordings: [
      [
        'FIX THE? typo|spelling @ :? {quote:from} SHOULD_BE|->|→ {quote:to} @',
        'Fix a typo: "garrage" should be "garage"',
      ],
      [
        'there is a typo @ :? {quote:from} SHOULD_BE {quote:to} @',
        'There is a typo on /about: "garrage" should be "garage"',
      ],
      [
        'FIX THE? typo|spelling {quote:from} (to|into|with|=|->|→ {quote:to}) @',
        'Correct the spelling "garrage" to "garage" on /about',
      ],
      [
        'FIX THE? typo|spelling @ :? {quote:from} @ :|,? it|this SHOULD_BE {quote:to} @',
        'Fix the typo "garrage": it should be "garage"',
      ],
      [
        'typo @ :? {quote:from} SHOULD_BE|->|→ {quote:to} @',
        'Typo on /about: "garrage" -> "garage"',
      ],
      ['FIX {quote:from} to|->|→ {quote:to} @', 'Correct "garrage" to "garage" everywhere'],
      ['{quote:from} @ ->|→|=> {quote:to} @', '"garrage" -> "garage"'],
      ['{quote:from} @ SHOULD_BE {quote:to} @', '"garrage" on /about should be "garage"'],
      [
        'FIX THE? typo|spelling @ :? {quote:from} @ it should be|read {quote:to} @',
        'Correct the typo "garrage". It should be "garage"',
      ],
      [
        '{quote:from} is misspelled|misspelt|wrong @ ,? it? SHOULD_BE {quote:to} @',
        '"garrage" is misspelled on /about, it should be "garage"',
      ],
    ],
    read: correct,
  },
  replace: {
    wordings: [
      [
        'REPLACE WHICH? WHAT? of? {value:from} @ WITH WHICH? WHAT? {value:to} @',
        'Replace "2025" with "2026" on /pricing',
      ],
      [
        'find WHICH? WHAT? {value:from} @ and replace|change it WITH {value:to} @',
        'Find "Acme Ltd" and replace it with "Acme Inc" everywhere',
      ],
      [
        '{quote:from} @ should now|just|only|simply? say|show|become|read {quote:to} @',
        '"Welcome" on /about should say "Hello"',
      ],
      [
        '(have|make|let)? {page:of} should? now? SAY {quote:to} NOT {quote:from}',
        'The pricing page should say "2026" instead of "2025"',
      ],
      [
        'use|write {quote:to} instead of {quote:from} @',
        'Write "2026" instead of "2025" on /pricing',
      ],
      [
        'all? WHICH? ENTRIES @ DATED {given:to} @ ,? and? not from? {given:from} @',
        'All articles on /blog are from October 9, 2026, not from October 7, 2025',
      ],
      [
        'it|this should say|read {quote:to} @ ,? and? not {quote:from} @',
        'It should say "2026", not "2025" on /pricing',
      ],
    ],
    read: replace,
  },
  part: {
    wordings: [
      [
        `SET|replace THE? {part} (saying|reading)? (that says)? {quote:now} (${LIST} ${UNDER})? @ TO {quote:text} @`,
        'Change the paragraph "Who we are" on /about to "Who we were"',
      ],
      [
        `SET|replace THE? {position}? {part} {position}? ${LIST} ${UNDER} @ TO {quote:text} @`,
        'Change the second list item under "Amenities" on /rooms to "Breakfast in bed"',
      ],
    ],
    read: part,
  },
  alt: {
    wordings: [
      [
        'SET THE? ALT OF (THE? PICTURE)? {quote:image} @ TO {quote:text} @',
        'Change the alt text of the image "team.jpg" on /about to "The team at lunch"',
      ],
      [
        'SET THE? ALT (OF (THE? PICTURE)?)? {file:image} @ TO {quote:text} @',
        'Set the alt text of team.jpg on /about to "The team at lunch"',
      ],
      [
        'SET THE? ALT {quote:image} @ TO {quote:text} @',
        'Set the alt text "Us" on /about to "The team at lunch"',
      ],
      [
        "SET THE? PICTURE {quote:image} 's? ALT @ TO {quote:text} @",
        'Set the image "team.jpg" alt text to "The team at lunch" on /about',
      ],
      [
        "SET THE? PICTURE {file:image} 's? ALT @ TO {quote:text} @",
        'Set the image team.jpg\'s alt text to "The team at lunch" on /about',
      ],
    ],
    read: alt,
  },
};
