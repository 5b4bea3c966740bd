import { parsePieces } from '../../sites/pages/slotText.ts';

/** The numbers of the parts in each text, in their order there. */
export const partsIn = (texts: string[]): number[][] =>
  texts.map((text) =>
    parsePieces(text).flatMap((piece) =>
      piece.kind === 'open' || piece.kind === 'void' ? [piece.part] : [],
    ),
  );

/** The ids with which lines of an answer to a language model begin, behind the marks of groups. */
export const idsIn = (answer: string): string[] =>
  answer.split('\n').flatMap((line) => /^(?:\[[^\s\]]*\])* ?([^\s\]]+)/.exec(line)?.[1] ?? []);
