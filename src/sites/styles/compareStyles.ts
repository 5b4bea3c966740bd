import type { AtRule, ChildNode, Comment, Container, Declaration, Root, Rule } from 'postcss';
import { invalidInput } from '../invalidInput.ts';
import { fileAddresses } from './cssAddresses.ts';
import { quoted } from '../../text/text.ts';
import { valueProblem } from './valueProblem.ts';
import { containersOf, readSheet, writtenValue } from './sheet.ts';

type Other = Exclude<ChildNode, Declaration>;

/**
 * A rule, at-rule, comment or the sheet itself, with its declarations. `key` tells whether two
 * parts are the same.
 */
interface Part {
  key: string;
  isRule: boolean;
  line: number;
  declarations: { key: string; property: string; value: string; line: number }[];
}

/**
 * Checks that an edit of a style sheet only changes values of declarations in existing rules: no
 * new rules, files or comments.
 * @param options.mayAdd whether the edit may add declarations at the end of a rule
 * @throws DomainError INVALID_INPUT naming the first line that breaks this
 */
export function compareStyles(
  before: string,
  after: string,
  { mayAdd }: { mayAdd: boolean },
): void {
  const [old, now] = [partsOf(readSheet(before).root), partsOf(readSheet(after).root)];
  const other = now.findIndex(({ key }, i) => key !== old[i]?.key);
  if (other !== -1 || now.length !== old.length) throw otherThanValues(now[other]?.line);
  for (const [i, part] of now.entries()) compareDeclarations(old[i]!, part, mayAdd);
  refuseAddresses(before, after);
}

const otherThanValues = (line: number | undefined) =>
  invalidInput(
    `In a style sheet only values of declarations may change${line === undefined ? '' : ` (line ${line})`}: selectors, rules, properties and comments must stay as they are`,
  );

function compareDeclarations(old: Part, now: Part, mayAdd: boolean): void {
  const isKept = old.declarations.every(({ key }, i) => key === now.declarations[i]?.key);
  const isMore = now.declarations.length > old.declarations.length;
  if (!isKept || (isMore && !(mayAdd && now.isRule))) throw otherThanValues(now.line);
  for (const [i, { property, value, line }] of now.declarations.entries()) {
    const known = old.declarations[i]?.value;
    const problem = value === known ? undefined : valueProblem(property, value, known);
    if (problem !== undefined)
      throw invalidInput(
        `A value must not have ${problem}: line ${line}, ${quoted(`${property}: ${value}`)}`,
      );
  }
}

function partsOf(root: Root): Part[] {
  const parts: Part[] = [
    { key: 'sheet', isRule: false, line: 1, declarations: declarationsIn(root) },
  ];
  root.walk((node) => {
    if (node.type === 'decl') return;
    const line = node.source?.start?.line ?? 1;
    const isRule = node.type === 'rule';
    parts.push({
      key: keyOf(node),
      isRule,
      line,
      declarations: node.type === 'comment' ? [] : declarationsIn(node),
    });
  });
  return parts;
}

/** A key for a node: its depth and type, and the white space, comments and texts of it. */
function keyOf(node: Other): string {
  return JSON.stringify([containersOf(node).length, node.type, node.raws.before, ...textsOf(node)]);
}

function textsOf(node: Rule | AtRule | Comment): unknown[] {
  if (node.type === 'comment') return [node.text, node.raws];
  if (node.type === 'rule') return [node.selector, node.raws.selector?.raw, node.raws.between];
  return [
    node.name,
    node.params,
    node.raws.params?.raw,
    node.raws.afterName,
    node.raws.between,
    node.nodes?.length === 0,
  ];
}

const declarationsIn = ({ nodes }: Pick<Container, 'nodes'>) =>
  (nodes ?? [])
    .filter((node): node is Declaration => node.type === 'decl')
    .map((declaration) => ({
      key: JSON.stringify([declaration.prop, declaration.raws.before, declaration.raws.between]),
      property: declaration.prop,
      value: valueOf(declaration),
      line: declaration.source?.start?.line ?? 1,
    }));

/** A declaration's value with `!important`. */
export const valueOf = (declaration: Declaration): string =>
  writtenValue(declaration) +
  (declaration.important ? (declaration.raws.important ?? ' !important') : '');

/**
 * Refuses new addresses anywhere in the file, since browsers may read some rules differently from
 * our parser.
 */
function refuseAddresses(before: string, after: string): void {
  const known = new Set(fileAddresses(before));
  const found = fileAddresses(after).find((url) => !known.has(url));
  if (found !== undefined)
    throw invalidInput(`A style sheet must not get a new address: ${quoted(found)}`);
}
