import type { PageFile } from '../../../contract/site.ts';
import { invalidInput } from '../../../errors.ts';
import { parsePieces } from '../../../sites/pages/slotText.ts';
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
  { site, parts }: ToolContext,
  page: PageFile,
  edits: TextEdit[],
): Promise<void> {
  const numbered = edits.filter(({ text }) => partsIn(text).length > 0);
  if (!parts || numbered.length === 0) return;
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

/** Whether a text puts the parts in another order, by which they get new numbers. */
export const isReordered = ({ text }: TextEdit): boolean =>
  partsIn(text).some((part, i) => part !== i + 1);

/** The numbers of a text's parts, in their order there. */
const partsIn = (text: string): number[] =>
  parsePieces(text).flatMap((piece) =>
    piece.kind === 'open' || piece.kind === 'void' ? [piece.part] : [],
  );
