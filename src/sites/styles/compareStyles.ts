import type { AtRule, Declaration, Root } from 'postcss';
import { invalidInput } from '../invalidInput.ts';
import { quoted } from '../../text/text.ts';
import { cssAddresses, isOfSite } from './cssAddresses.ts';
import { readSheet, writtenValue } from './sheet.ts';
import { valueProblem } from './valueProblem.ts';

/** At-rules that an edit may add. They load nothing, and hold rules. */
const ADDABLE = new Set(['media', 'supports', 'container', 'layer', 'keyframes']);
/** A comment that names another file for tools of developers, such as a source map. */
const STEERING = /^\s*[#@]|source(?:mapping)?url/i;

/**
 * Checks that an edit of a style sheet adds nothing that loads from another site or runs: rules and
 * declarations may change, be added and removed.
 * @throws DomainError INVALID_INPUT naming the first line that breaks this
 */
export function compareStyles(before: string, after: string): void {
  const [old, now] = [readSheet(before).root, readSheet(after).root];
  const known = partsOf(old);
  now.walk((node) => {
    const line = node.source?.start?.line ?? 1;
    if (node.type === 'decl') checkDeclaration(node, known.values.get(node.prop) ?? [], line);
    if (node.type === 'atrule' && !known.atRules.has(keyOf(node))) checkAtRule(node, line);
    if (node.type === 'comment' && STEERING.test(node.text) && !known.comments.has(node.text))
      throw invalidInput(`A style sheet must not get such a comment: line ${line}`);
  });
  refuseAddresses(before, after);
}

function checkDeclaration(declaration: Declaration, known: string[], line: number): void {
  const value = valueOf(declaration);
  if (known.includes(value)) return;
  const problem = valueProblem(declaration.prop, value, known.join(' '));
  if (problem !== undefined)
    throw invalidInput(
      `A value must not have ${problem}: line ${line}, ${quoted(`${declaration.prop}: ${value}`)}`,
    );
}

function checkAtRule({ name }: AtRule, line: number): void {
  const plain = name.toLowerCase().replace(/^-(?:webkit|moz|o|ms)-/, '');
  if (!ADDABLE.has(plain))
    throw invalidInput(`A style sheet must not get ${quoted(`@${name}`)}: line ${line}`);
}

const keyOf = ({ name, params }: AtRule) => `${name} ${params}`;

/** The values of a style sheet by their property, its at-rules, and its comments. */
function partsOf(root: Root) {
  const values = new Map<string, string[]>();
  const atRules = new Set<string>();
  const comments = new Set<string>();
  root.walk((node) => {
    if (node.type === 'decl')
      values.set(node.prop, [...(values.get(node.prop) ?? []), valueOf(node)]);
    if (node.type === 'atrule') atRules.add(keyOf(node));
    if (node.type === 'comment') comments.add(node.text);
  });
  return { values, atRules, comments };
}

/** A declaration's value with `!important`. */
const valueOf = (declaration: Declaration): string =>
  writtenValue(declaration) +
  (declaration.important ? (declaration.raws.important ?? ' !important') : '');

/**
 * Refuses new addresses of other sites and new style sheets anywhere in the file, since browsers
 * may read some rules differently from our parser.
 */
function refuseAddresses(before: string, after: string): void {
  const known = new Set(cssAddresses(before).map(({ url }) => url));
  const isAllowed = (url: string, kind: string) =>
    known.has(url) || kind === 'text' || (kind === 'file' && isOfSite(url));
  const found = cssAddresses(after).find(({ url, kind }) => !isAllowed(url, kind));
  if (found)
    throw invalidInput(
      `A style sheet must not get an address of another site: ${quoted(found.url)}`,
    );
}
