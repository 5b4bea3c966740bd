import {
  parse,
  type AtRule,
  type ChildNode,
  type Container,
  type Declaration,
  type Root,
  type Rule,
} from 'postcss';
import { invalidInput } from '../invalidInput.ts';

/** A parsed style sheet. Written again unchanged, it has the same bytes. */
export interface Sheet {
  bom: string;
  root: Root;
}

const DEEPEST = 40;

/**
 * Parses a style sheet. Never follows the address of a source map, which could name any file of the
 * machine.
 * @throws DomainError INVALID_INPUT for a text that is no style sheet
 */
export function readSheet(source: string): Sheet {
  checkDepth(source);
  const bom = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const root = parseStyles(source);
  if (bom + root.toString() !== source)
    throw invalidInput('The style sheet is written in a way that does not allow to change it');
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
    if (depth > DEEPEST)
      throw invalidInput(`The style sheet nests blocks deeper than ${DEEPEST} levels`);
  }
}

function parseStyles(source: string): Root {
  try {
    return parse(source, { map: false });
  } catch (error) {
    const { line, reason } = error as { line?: number; reason?: string };
    if (reason === undefined) throw error;
    throw invalidInput(`The style sheet can't be read: line ${line}: ${reason.slice(0, 100)}`);
  }
}

export const sourceOf = ({ bom, root }: Sheet): string => bom + root.toString();

export const oneSpace = (text: string) => text.trim().split(/\s+/).join(' ');

/** Normalizes a selector for comparison: single spaces, and commas followed by one space. */
export const selectorText = (text: string) => text.split(',').map(oneSpace).join(', ');

/** The rules and at-rules around a node, from the inside out. */
export function containersOf({ parent }: ChildNode): Container[] {
  const found: Container[] = [];
  for (let node = parent; node && node.type !== 'root'; node = node.parent as typeof parent)
    found.push(node);
  return found;
}

/**
 * The media query around a rule, '' for none. null for a rule that can't be changed: one in another
 * rule, or a step of an animation.
 */
function mediaOf(rule: Rule): string | null {
  const around = containersOf(rule);
  const isAtRule = (node: Container): node is AtRule => node.type === 'atrule';
  if (!around.every(isAtRule) || around.some(({ name }) => /keyframes$/i.test(name))) return null;
  const queries = around
    .filter(({ name }) => name.toLowerCase() === 'media')
    .map(({ params }) => mediaText(params));
  return queries.reverse().join(' and ');
}

/** Normalizes a media query for comparison: lower case, with spaces only where words need one. */
export const mediaText = (text: string) =>
  oneSpace(text.replace(/^\s*@media\b/i, ''))
    .toLowerCase()
    .replace(/ ?([:,()<>=]) ?/g, '$1')
    .replace(/\b(and|or|not|only)\(/g, '$1 (')
    .replace(/\)(and|or)\b/g, ') $1');

/** The rules of a style sheet, except those in other rules and steps of animations. */
export function rulesOf({ root }: Sheet): { rule: Rule; media: string }[] {
  const found: { rule: Rule; media: string }[] = [];
  root.walkRules((rule) => {
    const media = mediaOf(rule);
    if (media !== null) found.push({ rule, media });
  });
  return found;
}

export const declarationsOf = (rule: Rule): Declaration[] =>
  rule.nodes.filter((node): node is Declaration => node.type === 'decl');

/** A declaration's value as in the file, with comments. */
export const writtenValue = ({ value, raws }: Declaration): string => raws.value?.raw ?? value;

/** Writes a new value, which includes its `!important`. All other bytes stay. */
export function writeValue(declaration: Declaration, value: string): void {
  delete declaration.raws.value;
  delete declaration.raws.important;
  declaration.important = false;
  declaration.value = value;
}
