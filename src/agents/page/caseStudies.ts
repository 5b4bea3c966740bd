import { mapById } from '../../contract/mapById.ts';
import { withoutEnd } from '../../contract/text.ts';
import type { Block, Slot } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import { findWords } from '../text/spans.ts';
import { blockTree, type BlockTree } from './blockTree.ts';
import type { Kept, Outcome } from './outcome.ts';

/** Words in headings of client stories, or in the small lines above them. */
const STORY =
  /\b(?:case stud(?:y|ies)|(?:success|client|customer) stor(?:y|ies)|(?:recent|featured|latest|selected) (?:projects?|clients?)|(?:client|customer|project) spotlight|how we helped|fallstudien?|erfolgsgeschichten?|kundengeschichten?|referenzprojekte?)\b/iu;
/** A company in the line below a quote: `owner, Calloway Bakery`. */
const COMPANY =
  /(?:,|\b(?:at|of|from|bei)\b)\s+(\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*(?:\s+(?:&\s+)?\p{Lu}[\p{L}\p{M}\p{N}'’&.-]*){1,4})$/u;
const isRunning = ({ role, id }: Slot) =>
  !id.includes('.') && ['paragraph', 'caption', 'list-item', 'other'].includes(role);

/**
 * Sections that tell the story of one of the template's clients. A heading says so, or the text
 * names a client who is quoted on the page.
 */
export function caseStudies(outcome: Outcome, quotes: readonly Kept[]): Kept[] {
  const { template, slots, texts, context } = outcome;
  const tree = blockTree(template.blocks ?? []);
  const quoted = new Set(quotes.flatMap(({ ids }) => ids));
  const clients = clientsOf(slots.filter(({ id }) => quoted.has(id)));
  const shown = mapById(slots);
  const sectionAround = sectionsOf(tree, shown);
  const stories = new Map<string, Section>();
  for (const slot of slots) {
    const isStory =
      isRunning(slot) &&
      !quoted.has(slot.id) &&
      clients.some((name) => findWords(plainText(slot.text), name).length > 0);
    const saysSo =
      (slot.role === 'heading' || isAbove(tree, slot)) &&
      slot.level !== 1 &&
      STORY.test(plainText(slot.text));
    const part = isStory || saysSo ? sectionAround(tree.blockOf(slot.id)) : undefined;
    if (part && !stories.has(part.heading.id)) stories.set(part.heading.id, part);
  }
  return [...stories.values()].flatMap(({ heading, ids }): Kept[] => {
    const told = ids
      .flatMap((id) => shown.get(id) ?? [])
      .filter((slot) => isRunning(slot) && !quoted.has(slot.id) && !tree.labels.has(slot.id));
    const kept = told.filter(
      (slot) => !texts.has(slot) && !findWords(context.source, plainText(slot.text)).length,
    );
    if (kept.length === 0) return [];
    const isWhole = kept.length === told.length;
    const label = isWhole ? 'case study' : 'rest of the case study';
    const own = isWhole ? ids : kept.map(({ id }) => id);
    const rest = { values: kept.map(({ text }) => plainText(text)), slots: own };
    const study = {
      kind: 'case-study' as const,
      label,
      text: plainText(heading.text),
      slot: heading.id,
    };
    return [{ ...study, isHidden: false, ids: own, ...(!isWhole && { own: rest }) }];
  });
}

const isAbove = ({ labels }: BlockTree, { id, role }: Slot) =>
  role === 'paragraph' && labels.has(id);

const MOST_CLIENTS = 20;
const clientsOf = (bylines: Slot[]) =>
  bylines
    .flatMap(({ text }) => COMPANY.exec(withoutEnd(plainText(text), ' .'))?.[1] ?? [])
    .slice(0, MOST_CLIENTS);

interface Section {
  heading: Slot;
  ids: string[];
}

/** Makes a function that finds the innermost block with a heading around another block. */
function sectionsOf(tree: BlockTree, shown: Map<string, Slot>) {
  const known = new Map<Block, Section | undefined>();
  const sectionAround = (block: Block | undefined): Section | undefined => {
    if (!block || known.has(block)) return block && known.get(block);
    const ids = tree.idsIn(block);
    const headings = ids
      .flatMap((id) => shown.get(id) ?? [])
      .filter(({ role, level = 2 }) => role === 'heading' && level <= 3);
    const [heading] = headings.toSorted((a, b) => (a.level ?? 2) - (b.level ?? 2));
    const found = heading ? { heading, ids } : sectionAround(tree.around(block));
    known.set(block, found);
    return found;
  };
  return sectionAround;
}
