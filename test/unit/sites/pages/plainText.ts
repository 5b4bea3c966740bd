import { DomainError } from '../../../../src/errors.ts';
import type {
  FormatCalls,
  PageFormatPort,
  PageSource,
  PathRules,
} from '../../../../src/sites/formats/format.ts';
import type { TextSlot } from '../../../../src/sites/formats/pageParts.ts';

const paths: PathRules = {
  label: 'plain text',
  handles: (path) => path.endsWith('.txt'),
  slugOf: (path) => `/${path.replace(/\.txt$/, '')}`,
  pathOf: (slug) => `${slug.slice(1)}.txt`,
};

/** A line is a slot: the first one is the title. */
const slotsOf = ({ source }: PageSource): TextSlot[] =>
  source.split('\n').map((text, i) => {
    const role = i === 0 ? 'title' : 'paragraph';
    return { id: `s${i}`, role, section: null, text, parts: [], locked: false };
  });

function setTexts(page: PageSource, texts: Record<string, string>): string {
  const slots = slotsOf(page);
  for (const id of Object.keys(texts))
    if (!slots.some((slot) => slot.id === id))
      throw new DomainError('INVALID_INPUT', `The page has no slot "${id}"`);
  return slots.map(({ id, text }) => texts[id] ?? text).join('\n');
}

const calls: Partial<FormatCalls> = {
  read: (page) => {
    const slots = slotsOf(page);
    return { slug: paths.slugOf(page.path), title: slots[0]!.text, slots, opaque: [] };
  },
  readTexts: (page) => {
    const slots = slotsOf(page);
    const texts = slots.map(({ id, role, section, text }) => ({
      id,
      role,
      section,
      texts: [text],
      marks: [],
    }));
    return { title: slots[0]!.text, texts, urls: [] };
  },
  setTexts,
  rebuild: () => null,
  create: ({ template, texts }) => setTexts(template, texts),
  linkingPages: (pages, slug) =>
    pages
      .filter(({ source }) => source.includes(`see ${slug}`))
      .map(({ path }) => ({ slug: paths.slugOf(path), to: [slug], hasBlock: false })),
  knownKeys: (page, keys) => keys.filter((key) => page.source.includes(key.split(' ')[1]!)),
};

/** Pages of plain text. */
export const plainText: PageFormatPort = { paths, calls: calls as FormatCalls };
