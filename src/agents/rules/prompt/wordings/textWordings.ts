import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import { readForOnePage, type InstructionKind } from './instructionKind.ts';

const createReplacementReader =
  (options: { anyCase?: true } = {}): InstructionKind['read'] =>
  ({ from, to, page, pages = null }) => ({
    kind: 'replace',
    from: from!,
    to: to!,
    slugs: page ? [page] : pages,
    ...options,
  });

const readPartText = readForOnePage(({ part, now, text }, slug) => {
  const role = /heading/.test(part!) ? 'heading' : part === 'paragraph' ? 'paragraph' : 'list-item';
  return { kind: 'text', role, slug, now: now!, text: text! };
});

const readFieldText = readForOnePage(({ field, text, old }, slug) => ({
  kind: 'set',
  field: field!,
  slug,
  text: text!,
  ...withoutUndefined({ old }),
}));

/** Instructions that change texts: headlines, titles, paragraphs, list items, alt texts, words. */
export const textWordings: Record<string, InstructionKind> = {
  headline: {
    wordings: [
      [
        'SET? THE? new? {field} @ (from {quote:old})? TO|is|with {quote:text} @',
        'Change the headline of /pricing to "Simple prices"',
      ],
      [
        "SET? {page} 's? {field} (from {quote:old})? TO {quote:text}",
        'Change the home page\'s title to "Acme | Web design"',
      ],
      [
        '(give|let|make|have)? {page} (should? say|have|read)? (THE? new? {field})? {quote:text} (as|in THE? new? {field})?',
        'Give /about the description "Who we are"',
      ],
    ],
    read: (values) => (values.field ? readFieldText(values) : null),
  },
  typo: {
    wordings: [
      [
        '(FOUND_TYPO? TYPO)? @ :? {quote:from} @ (is wrong|misspelled|misspelt)? ,|:? it? SHOULD_BE {quote:to} @',
        'Fix a typo: "garrage" should be "garage"',
      ],
      [
        'FIX (THE? TYPO)? @ :? {quote:from} @ to|into|with {quote:to} @',
        'Correct the spelling "garrage" to "garage" on /about',
      ],
    ],
    read: createReplacementReader({ anyCase: true }),
  },
  replace: {
    wordings: [
      [
        'REPLACE WHICH? WHAT? {value:from} @ WITH WHICH? WHAT? {value:to} @',
        'Replace "2025" with "2026" on /pricing',
      ],
      [
        '(have|make|let)? {page} should? now? say|says|read|show {quote:to} NOT {quote:from}',
        'The pricing page should say "2026" instead of "2025"',
      ],
      [
        '{quote:from} @ should now|just? say|show|read|become {quote:to} @',
        '"Welcome" on /about should say "Hello"',
      ],
    ],
    read: createReplacementReader(),
  },
  part: {
    wordings: [
      [
        `SET|replace THE? {part} CALLED? {quote:now} @ TO|WITH {quote:text} @`,
        'Change the paragraph "Who we are" on /about to "Who we were"',
      ],
    ],
    read: readPartText,
  },
  alt: {
    wordings: [
      [
        'SET THE? ALT (of|for (THE? PICTURE)?)? {image} PICTURE? @ TO {quote:text} @',
        'Change the alt text of the image "team.jpg" on /about to "The team at lunch"',
      ],
    ],
    read: readForOnePage(({ image, text }, slug) => ({
      kind: 'alt',
      image: image!,
      text: text!,
      slug,
    })),
  },
};
