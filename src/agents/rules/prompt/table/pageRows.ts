import { normalizeSlug } from '../../../../sites/pages/slug.ts';
import type { Instruction } from '../instructions.ts';
import { shapeOf } from '../language/shapes.ts';
import type { Token } from '../language/tokens.ts';
import type { Row } from './row.ts';

type Create = Extract<Instruction, { kind: 'create' }>;
type Options = Pick<Create, 'name' | 'fields' | 'replacements'>;

const create: Row['read'] = ({ options = [], slug, page }) => {
  const read = slug === undefined ? null : readOptions(options);
  return read && { kind: 'create', slug: normalizeSlug(slug!), from: page!, ...read };
};

const OPTIONS = [
  'with? THE? {field} of|as? =|:? {quote:text}',
  'called|titled|named {quote:name}',
  'with? THE? name of? {quote:name}',
  'replacing|changing|with? {value:from} (replaced|changed)? with|by|to {value:to}',
].map(shapeOf);

/**
 * Reads options such as `, with the title "A", replacing "B" with "C" and "D" with "E"`. null if
 * any part is no option.
 */
function readOptions(tokens: Token[]): Options | null {
  const options: Options = { fields: [], replacements: [] };
  for (const part of partsOf(tokens)) {
    const [found] = OPTIONS.flatMap((shape) => shape(part));
    if (!found) return null;
    const { field, text, name, from, to } = found;
    if (field) options.fields.push({ field, text: text! });
    else if (name !== undefined) options.name = name;
    else options.replacements.push({ from: from!, to: to! });
  }
  return options;
}

/** The options, split at commas and `and`. */
function partsOf(tokens: Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    const isJoint = token.word === ',' || (token.word === 'and' && token.kind === 'word');
    if (isJoint && parts.at(-1)!.length > 0) parts.push([]);
    else if (!isJoint) parts.at(-1)!.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

const move: Row['read'] = ({ page, slug }) => ({
  kind: 'move',
  page: page!,
  to: normalizeSlug(slug!),
});

const erase =
  (options: { links?: true } = {}): Row['read'] =>
  ({ pages }) =>
    Array.isArray(pages) ? { kind: 'delete', pages, ...options } : null;

const generate: Row['read'] = ({ slug, page, subject }) => ({
  kind: 'generate',
  slug: normalizeSlug(slug!),
  from: page!,
  subject: subject!,
});

const PLACE = '(a|the|another? new? page? (at|called)? {slug})';
/** Instructions for whole pages. */
export const pageRows: Record<string, Row> = {
  generate: {
    wordings: [
      [
        'COPY|create|make {page} FOR_ {subject} as|at|to {slug}',
        'Copy /locations/austin for Rome as /locations/rome',
      ],
      [
        'NEW THE? new? PAGE_? (at|called)? {slug} for {subject} SOURCE {page}',
        'Create /locations/rome for Rome from /locations/austin',
      ],
      [
        'NEW THE? new? PAGE_? for {subject} ,? (at|as|called) {slug} ,? SOURCE {page}',
        'Make a page for Rome at /locations/rome like the Austin page',
      ],
      [
        'NEW THE? new? PAGE_? for {subject} ,? SOURCE {page} ,? (at|as|called)? (slug|url)? {slug}',
        'Make a page for Rome like /locations/austin at /locations/rome',
      ],
      [
        'use {page} as a|the? template for {subject} at|as {slug}',
        'Use /locations/austin as a template for Rome at /locations/rome',
      ],
    ],
    read: generate,
  },
  create: {
    wordings: [
      [
        `NEW ${PLACE} SOURCE the? template? {page} (as a|the|its? template)? {tail:options}?`,
        'Create /locations/rome from /locations/austin with the title "Acme in Rome", replacing "Austin" with "Rome"',
      ],
      [
        `COPY {page} to|as|into|at ${PLACE} {tail:options}?`,
        'Copy /locations/austin to /locations/rome',
      ],
    ],
    read: create,
  },
  move: {
    wordings: [
      ['move {page} to {slug}', 'Move /about to /company'],
      ['rename {page} to|as|into {slug}', 'Rename the about page to /company'],
      ['SET THE? ADDRESS of {page} to|as|into {slug}', 'Change the URL of /about to /company'],
      ["SET {page} 's ADDRESS to|as|into {slug}", "Change the about page's URL to /company"],
    ],
    read: move,
  },
  deleteLinks: {
    wordings: [
      ['ERASE {deleted:pages} LINKS_TOO', 'Delete /old-offer and the links to it'],
      ['ERASE {deleted:pages} ,? LINKS_TOO', 'Remove the page /old-offer and all links to it'],
      ['ERASE {deleted:pages} ,? LINKS_TOO', 'Get rid of /old-offer with its links'],
      ['ERASE {deleted:pages} ,? LINKS_TOO', 'Delete the page /old-offer, including links to it'],
    ],
    read: erase({ links: true }),
  },
  delete: {
    wordings: [['ERASE {deleted:pages}', 'Delete /old-offer']],
    read: erase(),
  },
};
