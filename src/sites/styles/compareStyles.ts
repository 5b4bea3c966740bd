import type { AtRule, Declaration, Root } from 'postcss';
import { invalidInput } from '../invalidInput.ts';
import { quoteText } from '../../text/text.ts';
import { findCssUrls, isSiteUrl } from './cssAddresses.ts';
import { readSheet, writtenValue } from './sheet.ts';
import { findValueProblem } from './valueProblem.ts';

/*
 * Style sheets and style values: which changes are safe. An agent may write `color: #060` or a new
 * `@media` block, but no `@import`, no `url(https://other.example/a.png)` and no `expression()`.
 *
 * - this file: compares two versions of a style sheet
 * - `valueProblem.ts`: what is forbidden in the value of one declaration
 * - `cssAddresses.ts`: finds and replaces URLs in style rules
 * - `sheet.ts`: parses a style sheet into rules; `readTokens.ts`: reads its tokens as browsers do
 */

/** At-rules that an edit may add. They load nothing, and contain rules. */
const ADDABLE = new Set(['media', 'supports', 'container', 'layer', 'keyframes']);
/** A comment that controls developers' tools, such as one that names a source map. */
const STEERING = /^\s*[#@]|source(?:mapping)?url/i;

/**
 * Checks that an edit of a style sheet adds nothing that loads from another site or runs code.
 * Other rules and declarations may be changed, added and removed.
 * @throws DomainError INVALID_INPUT with the first line that is not allowed
 */
export function compareStyles(oldSource: string, newSource: string): void {
  const [oldRoot, newRoot] = [readSheet(oldSource).root, readSheet(newSource).root];
  const oldParts = collectParts(oldRoot);
  newRoot.walk((node) => {
    const line = node.source?.start?.line ?? 1;
    if (node.type === 'decl') checkDeclaration(node, oldParts.values.get(node.prop) ?? [], line);
    if (node.type === 'atrule' && !oldParts.atRules.has(atRuleKey(node))) checkAtRule(node, line);
    if (node.type === 'comment' && STEERING.test(node.text) && !oldParts.comments.has(node.text))
      throw invalidInput(
        `An edit must not add a comment that controls tools to a style sheet: line ${line}`,
      );
  });
  refuseForeignUrls(oldSource, newSource);
}

function checkDeclaration(declaration: Declaration, oldValues: string[], line: number): void {
  const value = declarationValue(declaration);
  if (oldValues.includes(value)) return;
  const problem = findValueProblem(declaration.prop, value, oldValues.join(' '));
  if (problem !== undefined)
    throw invalidInput(
      `A value must not contain ${problem}: line ${line}, ${quoteText(`${declaration.prop}: ${value}`)}`,
    );
}

function checkAtRule({ name }: AtRule, line: number): void {
  const plainName = name.toLowerCase().replace(/^-(?:webkit|moz|o|ms)-/, '');
  if (!ADDABLE.has(plainName))
    throw invalidInput(
      `An edit must not add ${quoteText(`@${name}`)} to a style sheet: line ${line}`,
    );
}

const atRuleKey = ({ name, params }: AtRule) => `${name} ${params}`;

/** The values of a style sheet by their property, its at-rules, and its comments. */
function collectParts(root: Root) {
  const values = new Map<string, string[]>();
  const atRules = new Set<string>();
  const comments = new Set<string>();
  root.walk((node) => {
    if (node.type === 'decl')
      values.set(node.prop, [...(values.get(node.prop) ?? []), declarationValue(node)]);
    if (node.type === 'atrule') atRules.add(atRuleKey(node));
    if (node.type === 'comment') comments.add(node.text);
  });
  return { values, atRules, comments };
}

/** A declaration's value with `!important`. */
const declarationValue = (declaration: Declaration): string =>
  writtenValue(declaration) +
  (declaration.important ? (declaration.raws.important ?? ' !important') : '');

/**
 * Refuses new URLs of other sites and new `@import`s anywhere in the file, since browsers may read
 * some rules differently from our parser.
 */
function refuseForeignUrls(oldSource: string, newSource: string): void {
  const oldUrls = new Set(findCssUrls(oldSource).map(({ url }) => url));
  const isAllowed = (url: string, kind: string) =>
    oldUrls.has(url) || kind === 'text' || (kind === 'file' && isSiteUrl(url));
  const foreignUrl = findCssUrls(newSource).find(({ url, kind }) => !isAllowed(url, kind));
  if (foreignUrl)
    throw invalidInput(
      `An edit must not add a URL of another site to a style sheet: ${quoteText(foreignUrl.url)}`,
    );
}
