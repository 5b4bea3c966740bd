import { defined } from '../../../../contract/defined.ts';
import type { Field, Instruction } from '../instructions.ts';
import type { Found } from '../language/shapes.ts';
import type { Row } from './row.ts';

/** A new page, with the changes of its texts. Its title is also its headline. */
function create(found: Found): Instruction[] {
  const { slug: path, page, name, title = name, headline = title, description, from, to } = found;
  const slug = { slug: path! };
  const set = (field: Field, text: string | undefined): Instruction[] =>
    text === undefined ? [] : [{ kind: 'set', field, slug, text }];
  return [
    { kind: 'create', path: path!, template: page! },
    ...(from === undefined ? [] : [{ kind: 'replace' as const, from, to: to!, slugs: [slug] }]),
    ...set('title', title),
    ...set('description', description),
    ...set('headline', headline).map((one) =>
      found.headline === undefined ? { ...one, ifThere: true as const } : one,
    ),
  ];
}

const erase =
  (options: { links?: true } = {}): Row['read'] =>
  ({ pages }) =>
    Array.isArray(pages) ? { kind: 'delete', slugs: pages, ...options } : null;

const OPTIONS = [
  '(,? (and)? called|titled|named {quote:name})?',
  '(,? (and)? with? THE? title {quote:title})?',
  '(,? (and)? with? THE? headline {quote:headline})?',
  '(,? (and)? with? THE? description {quote:description})?',
  '(,? (and)? replacing {value:from} with|by {value:to})?',
].join(' ');

/** Instructions for whole pages. */
export const pageRows: Record<string, Row> = {
  generate: {
    wordings: [
      [
        'COPY|create|make {page} for|about {label:subject} as|at|to {slug}',
        'Copy /locations/austin for Rome as /locations/rome',
      ],
      [
        'NEW THE? new? PAGE_NOUN? (at|called)? {slug} for|about {label:subject} SOURCE {page}',
        'Create /locations/rome for Rome from /locations/austin',
      ],
      [
        'NEW THE? new? PAGE_NOUN for|about {label:subject} ,? at|as|called {slug} ,? SOURCE {page}',
        'Make a page for Rome at /locations/rome like the Austin page',
      ],
    ],
    // one page has one subject
    read: ({ slug, page, subject }) =>
      / & /.test(subject!)
        ? null
        : { kind: 'generate', path: slug!, template: page!, subject: subject! },
  },
  create: {
    wordings: [
      [
        `NEW THE? new? PAGE_NOUN? (at|called)? {slug} SOURCE {page} ${OPTIONS}`,
        'Create /locations/rome from /locations/austin with the title "Acme in Rome", replacing "Austin" with "Rome"',
      ],
      [`COPY {page} to|as|into|at {slug} ${OPTIONS}`, 'Copy /locations/austin to /locations/rome'],
    ],
    read: create,
  },
  move: {
    wordings: [['move|rename {page} to|as {slug}', 'Move /about to /company']],
    read: ({ page, slug }) => ({ kind: 'move', slug: page!, to: slug! }),
  },
  deleteLinks: {
    wordings: [['ERASE {deleted:pages} ,? LINKS_TOO', 'Delete /old-offer and the links to it']],
    read: erase({ links: true }),
  },
  delete: {
    wordings: [['ERASE {deleted:pages}', 'Delete /old-offer']],
    read: erase(),
  },
  addEntry: {
    wordings: [
      [
        'ADD THE? (link|entry|item to|for)? {page:page} (as|called {label:text})? to|in|into MENU (as|called {label:text})? (,? ADVERB? after|behind {label:after})? EVERYWHERE?',
        'Add /booking to the navigation as "Book"',
      ],
      [
        '(in MENU)? ,? ADD THE? (link|entry|item)? {label:text} (leading|linking|pointing)? to|for {page} to|in|into MENU (,? ADVERB? after|behind {label:after})?',
        'Add a link "Book" to /booking to the navigation',
      ],
    ],
    read: ({ page, text, after }) => ({
      kind: 'menu',
      change: 'add',
      entry: page!,
      ...defined({ text, after }),
    }),
  },
  renameEntry: {
    wordings: [
      [
        'SET|replace THE? ENTRY? {value:now} ENTRY? in|of MENU TO|WITH {label:text} EVERYWHERE?',
        'Change "Pricing" in the navigation to "Prices"',
      ],
      [
        'SET|replace THE? ENTRY? {value:now} TO|WITH {label:text} in|of MENU EVERYWHERE?',
        'Rename "Pricing" to "Prices" in the menu',
      ],
      [
        'in MENU ,? SET|replace THE? ENTRY? {value:now} TO|WITH {label:text}',
        'In the navigation, change "Pricing" to "Prices"',
      ],
      [
        'SET|replace THE? MENU ENTRY {value:now} TO|WITH {label:text}',
        'Rename the menu entry "Pricing" to "Prices"',
      ],
    ],
    read: ({ now, text }) => ({ kind: 'menu', change: 'rename', now: now!, text: text! }),
  },
  removeEntry: {
    wordings: [
      [
        'REMOVE THE? ENTRY? {quote:now} ENTRY? from|in|of MENU EVERYWHERE?',
        'Remove "About" from the navigation',
      ],
      ['REMOVE THE? MENU ENTRY {quote:now}', 'Remove the menu entry "About"'],
    ],
    read: ({ now, page }) => ({
      kind: 'menu',
      change: 'remove',
      ...defined({ now, entry: page }),
    }),
  },
};
