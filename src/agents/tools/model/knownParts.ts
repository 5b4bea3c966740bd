import type { PageFile } from '../../../contract/site.ts';
import { invalidInput } from '../../../errors.ts';
import { inLine } from '../../../text/text.ts';
import type { TextEdit } from '../textsPort.ts';
import type { ToolContext } from '../tool.ts';

/** Most characters of a text that an error shows in full. */
const SHOWN = 2_000;

/**
 * Refuses texts with numbered parts whose numbers are others now than those that the model knows:
 * their words would land in other links.
 * @throws DomainError INVALID_INPUT that shows the text as it is now
 */
export async function refuseRenumbered(
  { site, parts, texts }: ToolContext,
  page: PageFile,
  edits: TextEdit[],
): Promise<void> {
  if (!parts) return;
  const given = await texts.partsIn(edits.map(({ text }) => text));
  const numbered = edits.filter((_, i) => given[i]!.length > 0);
  if (numbered.length === 0) return;
  const ids = new Set(await parts.renumbered(await site.pageSource(page)));
  const edit = numbered.find(({ id }) => ids.has(id));
  if (!edit) return;
  const text = (await site.read(page)).slots.find(({ id }) => id === edit.id)?.text ?? '';
  if (text.length > SHOWN)
    throw invalidInput(
      `The parts of ${edit.id} have other numbers since you read it: read_page shows it`,
    );
  throw invalidInput(
    `${edit.id} has other part numbers since you read it. It is now: ${inLine(text)}`,
  );
}

/** The ids of texts that put their parts in another order, by which these get new numbers. */
export async function reorderedBy({ texts }: ToolContext, edits: TextEdit[]): Promise<string[]> {
  const given = await texts.partsIn(edits.map(({ text }) => text));
  const isReordered = (parts: number[]) => parts.some((part, i) => part !== i + 1);
  return edits.filter((_, i) => isReordered(given[i]!)).map(({ id }) => id);
}
