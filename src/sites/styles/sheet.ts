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

/** A style sheet taken apart. Written again unchanged, it has the same bytes. */
export interface Sheet {
  bom: string;
  root: Root;
}

const DEEPEST = 40;

/**
 * Reads a style sheet. It never follows the address of a source map, which may be any file of the
 * machine.
 * @throws DomainError INVALID_INPUT for what is no style sheet
 */
export function readSheet(source: string): Sheet {
  checkDepth(source);
  const bom = source.startsWith('\uFEFF') ? '\uFEFF' : '';
  const root = parseStyles(source);
  if (bom + root.toString() !== source)
    throw invalidInput('The style sheet is written in a way that does not allow to change it');
  return { bom, root };
}

/** The parser is recursive, and readers walk up from each rule. */
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

/** A selector as it is compared: one space where there is any, commas with one behind them. */
export const selectorText = (text: string) => text.split(',').map(oneSpace).join(', ');

/** The rules and at-rules around a node, from the inside out. */
export function containersOf({ parent }: ChildNode): Container[] {
  const found: Container[] = [];
  for (let node = parent; node && node.type !== 'root'; node = node.parent as typeof parent)
    found.push(node);
  return found;
}

/**
 * The media query that a rule stands in, '' for none; null for a rule that is not for changing: one
 * in another rule, or a step of an animation.
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

/** A media query as it is compared: without spaces, but where words need one. */
export const mediaText = (text: string) =>
  oneSpace(text.replace(/^\s*@media\b/i, ''))
    .toLowerCase()
    .replace(/ ?([:,()<>=]) ?/g, '$1')
    .replace(/\b(and|or|not|only)\(/g, '$1 (')
    .replace(/\)(and|or)\b/g, ') $1');

/**
 * The rules of a style sheet that have selectors, without those in other rules and steps of
 * animations.
 */
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

/** A declaration's value as the file has it, with comments. */
export const writtenValue = ({ value, raws }: Declaration): string => raws.value?.raw ?? value;

/** Writes another value, with its `!important`; every other byte stays. */
export function writeValue(declaration: Declaration, value: string): void {
  delete declaration.raws.value;
  delete declaration.raws.important;
  declaration.important = false;
  declaration.value = value;
}
