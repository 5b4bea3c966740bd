import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import type { InstructionKind } from './instructionKind.ts';

const createDeletionReader =
  (options: { links?: true } = {}): InstructionKind['read'] =>
  ({ pages }) =>
    Array.isArray(pages) ? { kind: 'delete', slugs: pages, ...options } : null;

/** Instructions that create, move or delete pages, and that change entries of the navigation. */
export const pageWordings: Record<string, InstructionKind> = {
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
    ],
    // one page has one topic
    read: ({ slug, page, subject }) =>
      / & /.test(subject!)
        ? null
        : { kind: 'generate', path: slug!, template: page!, subject: subject! },
  },
  create: {
    wordings: [
      [
        'NEW THE? new? PAGE_NOUN? (at|called)? {slug} SOURCE {page}',
        'Create /locations/rome from /locations/austin',
      ],
      ['COPY {page} to|as|into|at {slug}', 'Copy /locations/austin to /locations/rome'],
    ],
    read: ({ slug, page }) => ({ kind: 'create', path: slug!, template: page! }),
  },
  move: {
    wordings: [['move|rename {page} to|as {slug}', 'Move /about to /company']],
    read: ({ page, slug }) => ({ kind: 'move', slug: page!, to: slug! }),
  },
  deleteLinks: {
    wordings: [['ERASE {deleted:pages} ,? LINKS_TOO', 'Delete /old-offer and the links to it']],
    read: createDeletionReader({ links: true }),
  },
  delete: {
    wordings: [['ERASE {deleted:pages}', 'Delete /old-offer']],
    read: createDeletionReader(),
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
      ...withoutUndefined({ text, after }),
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
      ...withoutUndefined({ now, entry: page }),
    }),
  },
};
