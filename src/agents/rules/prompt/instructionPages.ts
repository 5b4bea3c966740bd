import type { Instruction, PageName } from './instructions.ts';

/**
 * Gives an instruction without a page the page of the previous instruction: `… of /pricing to "A"
 * and the title to "B"`. After `Create …`, a replacement applies to the new page.
 */
export function inheritPage(sentence: Instruction[]): Instruction[] {
  let page: PageName | null = null;
  let isNew = false;
  return sentence.map((instruction) => {
    const named = pageOf(instruction);
    if (named !== undefined)
      [page, isNew] = [named, instruction.kind === 'create' || instruction.kind === 'generate'];
    if (named !== undefined || page === null) return instruction;
    if ('page' in instruction) return { ...instruction, page };
    const inherits = instruction.kind === 'link' || (instruction.kind === 'replace' && isNew);
    return inherits && instruction.pages === null ? { ...instruction, pages: [page] } : instruction;
  });
}

/**
 * The page of an instruction, by the name that it has afterwards. null for several pages, undefined
 * for none.
 */
function pageOf(instruction: Instruction): PageName | null | undefined {
  if (instruction.kind === 'create' || instruction.kind === 'generate')
    return { slug: instruction.slug };
  if (instruction.kind === 'move') return { slug: instruction.to };
  if (instruction.kind === 'delete') return undefined;
  if ('page' in instruction) return instruction.page ?? undefined;
  if (!('pages' in instruction) || !Array.isArray(instruction.pages)) return undefined;
  return instruction.pages.length === 1 ? instruction.pages[0]! : null;
}

/** Whether an instruction names its pages. */
export const isPlaced = (instruction: Instruction): boolean =>
  pageOf(instruction) !== undefined ||
  instruction.kind === 'delete' ||
  ('pages' in instruction && instruction.pages === 'everywhere');

/**
 * Applies an instruction to the pages that a line above it names. null if its kind takes no pages.
 */
export function withPlace(instruction: Instruction, pages: PageName[]): Instruction | null {
  if (isPlaced(instruction)) return instruction;
  if ('page' in instruction && instruction.kind !== 'menu')
    return pages.length === 1 ? { ...instruction, page: pages[0]! } : null;
  return 'pages' in instruction ? { ...instruction, pages } : null;
}

/** The pages that an instruction names. */
export function pagesOf(instruction: Instruction): PageName[] {
  if ('pages' in instruction) return Array.isArray(instruction.pages) ? instruction.pages : [];
  return 'page' in instruction && instruction.page ? [instruction.page] : [];
}
