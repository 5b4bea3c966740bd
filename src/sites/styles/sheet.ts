import { parse, type Declaration, type Root } from 'postcss';
import { invalidInput } from '../invalidInput.ts';

/** A parsed style sheet. Written again unchanged, it has the same bytes. */
export interface ParsedStyleSheet {
  bom: string;
  root: Root;
}

const MAX_DEPTH = 40;

/**
 * Parses a style sheet. Never reads its source map, whose URL could name any file of the machine.
 * @throws DomainError INVALID_INPUT for a text that is not a style sheet, and for one that the
 *   parser would not write again byte for byte
 */
export function readSheet(source: string): ParsedStyleSheet {
  checkDepth(source);
  const bom = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const root = parseStyles(source);
  if (bom + root.toString() !== source)
    throw invalidInput(
      'The style sheet contains CSS that the service cannot write back unchanged. Edit the file in the repository instead',
    );
  return { bom, root };
}

/**
 * Limits the depth of nesting, since the parser is recursive and other code walks up from each
 * rule.
 */
function checkDepth(source: string): void {
  let depth = 0;
  for (const [brace] of source.matchAll(/[{}]/g)) {
    depth = brace === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_DEPTH)
      throw invalidInput(`The style sheet nests blocks more than ${MAX_DEPTH} levels deep`);
  }
}

function parseStyles(source: string): Root {
  try {
    return parse(source, { map: false });
  } catch (error) {
    const { line, reason } = error as { line?: number; reason?: string };
    if (reason === undefined) throw error;
    throw invalidInput(`The style sheet cannot be read. Line ${line}: ${reason.slice(0, 100)}`);
  }
}

/** A declaration's value as in the file, with comments. */
export const writtenValue = ({ value, raws }: Declaration): string => raws.value?.raw ?? value;
