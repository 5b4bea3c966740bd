import { parseTree, type Node as JsonNode, type ParseError } from 'jsonc-parser';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Node as YamlNode,
  visit,
  type YAMLMap,
} from 'yaml';
import { DomainError } from '../../errors.ts';
import type { TextRange } from '../../text/textRange.ts';
import type { PageSource } from '../formats/format.ts';
import {
  endOfLine,
  parseYaml,
  readShallowly,
  refuseDeepText,
  unreadableAt,
} from '../formats/frontMatter.ts';
import { entryNameOf, identityKeys } from './entryName.ts';
import { dataLanguage, isEntryKey } from './entryPaths.ts';

/*
 * Reads a data file whose entries are pages: a list of objects, an object of objects, or an object
 * that has nothing but such a list.
 *
 *     [{ "slug": "berlin", "title": "Berlin" }]     berlin:
 *                                                     title: Berlin
 *
 * An entry has its key from the object around it, or from the value that names the entries of the
 * list, such as `slug`.
 */

/** A data file, with the ranges of its entries. */
export interface DataFile {
  language: 'json' | 'yaml';
  isList: boolean;
  source: string;
  /** How the file ends its lines. */
  lineEnd: '\n' | '\r\n';
  /** All members of the list or object, in order, with their keys and without their commas. */
  members: DataMember[];
  /** Why some members are not pages, as sentences. */
  problems: string[];
}

/** A member of the list or object. */
export interface DataMember extends TextRange {
  /** Null if the member is not a page. */
  key: string | null;
  /** The object. In YAML, it consists of whole lines, unless it is in braces. */
  content: TextRange;
  /** The column of the dash of a list in YAML, in the first line of the content. */
  dash?: number;
}

/** A member before its key is known. */
interface UnnamedMember extends Omit<DataMember, 'key'> {
  /** The key in the object around; null in a list. */
  ownKey: string | null;
  /** The texts and numbers of the object itself. */
  values: Map<string, unknown>;
  /** Why it is not a page. */
  problem?: string;
}

interface MemberList {
  isList: boolean;
  members: UnnamedMember[];
}

const MAX_MEMBERS = 5_000;

/**
 * @throws DomainError PAGE_UNREADABLE with line and column for what does not parse, or if the file
 *   is neither a list nor an object of objects; LIMIT_EXCEEDED
 */
export function readDataFile({ path, source }: PageSource): DataFile {
  refuseDeepText(source);
  const language = dataLanguage(path);
  const start = source.startsWith('\uFEFF') ? 1 : 0;
  const list = readShallowly(() =>
    language === 'json' ? readJsonMembers(source, start) : readYamlMembers(source, start),
  );
  if (!list)
    throw new DomainError(
      'PAGE_UNREADABLE',
      'Its entries cannot be pages: this needs a list of objects, or an object of objects',
    );
  if (list.members.length > MAX_MEMBERS)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `It has ${list.members.length} entries, but at most ${MAX_MEMBERS} are supported`,
    );
  const lineEnd = source.includes('\r\n') ? '\r\n' : '\n';
  return { language, source, lineEnd, isList: list.isList, ...nameMembers(list) };
}

/** Gives the members their keys. Those without a key, or with that of another one, get none. */
function nameMembers({ isList, members }: MemberList): Pick<DataFile, 'members' | 'problems'> {
  const identity = isList ? findIdentity(members) : undefined;
  const keys = members.map((member) => {
    if (member.problem !== undefined) return null;
    const key = isList ? identityOf(member.values, identity) : member.ownKey;
    return key !== null && isEntryKey(key) ? key : null;
  });
  const counts = new Map<string, number>();
  for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isDuplicate = (key: string | null) => key !== null && counts.get(key)! > 1;
  const named = members.map(({ ownKey: _, values: _values, problem: _problem, ...member }, i) => {
    return { ...member, key: isDuplicate(keys[i]!) ? null : keys[i]! };
  });
  const nameless = members.filter(({ problem }, i) => !problem && keys[i] === null).length;
  const duplicates = [...counts].filter(([, count]) => count > 1).map(([key]) => key);
  const names = identity ?? identityKeys.join(', ');
  return {
    members: named,
    problems: [
      ...new Set(members.flatMap(({ problem }) => problem ?? [])),
      ...(nameless > 0
        ? [
            isList
              ? `${nameless} of its entries have no ${names} that can be a part of a URL, so they are not pages.`
              : `${nameless} of its entries have keys that cannot be a part of a URL, so they are not pages.`,
          ]
        : []),
      ...(duplicates.length > 0
        ? [
            `Several of its entries have the same key, so they are not pages: ${duplicates.slice(0, 5).join(', ')}.`,
          ]
        : []),
    ],
  };
}

function findIdentity(members: UnnamedMember[]): string | undefined {
  const countOf = (name: string) =>
    members.filter(({ values }) => identityOf(values, name) !== null).length;
  const [best] = identityKeys
    .map((name) => ({ name, count: countOf(name) }))
    .sort((first, second) => second.count - first.count);
  return best && best.count > 0 ? best.name : undefined;
}

const identityOf = (values: Map<string, unknown>, name: string | undefined) =>
  name === undefined ? null : entryNameOf(values.get(name));

function readJsonMembers(source: string, offset: number): MemberList | null {
  const problems: ParseError[] = [];
  const tree = parseTree(source.slice(offset), problems);
  if (!tree || problems.length > 0)
    throw unreadableAt(source, offset + (problems[0]?.offset ?? 0), 'JSON');
  const [onlyProperty, ...others] = tree.type === 'object' ? (tree.children ?? []) : [];
  const inner = onlyProperty?.children?.[1];
  const list = inner?.type === 'array' && others.length === 0 ? inner : tree;
  const members = (list.children ?? []).map((node) => readJsonMember(source, node, offset));
  if (members.length === 0 || members.some((member) => member === null)) return null;
  return { isList: list.type === 'array', members: members.filter((member) => member !== null) };
}

function readJsonMember(source: string, node: JsonNode, offset: number): UnnamedMember | null {
  const [key, value] = node.type === 'property' ? (node.children ?? []) : [undefined, node];
  if (value?.type !== 'object') return null;
  const rangeOf = ({ offset: start, length }: JsonNode) => ({
    start: offset + start,
    end: offset + start + length,
  });
  const content = rangeOf(value);
  const isPlain = /^\{\s*["}]/.test(source.slice(content.start, content.start + 200));
  return {
    ...rangeOf(node),
    content,
    ownKey: key ? String(key.value) : null,
    values: new Map(
      (value.children ?? []).map(({ children: [name, own] = [] }) => [
        String(name?.value),
        own?.value,
      ]),
    ),
    ...(!isPlain && { problem: 'An entry that begins with a comment is not a page.' }),
  };
}

function readYamlMembers(source: string, offset: number): MemberList | null {
  const document = parseYaml(source.slice(offset));
  const [problem] = document.errors;
  if (problem) throw unreadableAt(source, offset + problem.pos[0], 'YAML');
  const { contents } = document;
  const onlyValue: unknown =
    isMap(contents) && contents.items.length === 1 ? contents.items[0]!.value : undefined;
  const list = isSeq(onlyValue) ? onlyValue : contents;
  if (!(isSeq(list) || isMap(list)) || list.flow || list.items.length === 0) return null;
  const members = isSeq(list)
    ? list.items.map((node) => isMap(node) && readYamlItem(source, node, offset))
    : list.items.map((pair) => readYamlPair(source, pair, offset));
  if (members.some((member) => !member)) return null;
  return { isList: isSeq(list), members: members.filter((member) => !!member) };
}

/** An item of a list: its lines, from the dash on. */
function readYamlItem(source: string, node: YAMLMap, offset: number): UnnamedMember {
  const [from, to] = node.range!;
  const start = source.lastIndexOf('\n', offset + from - 1) + 1;
  const [, indentation] = /^( *)- +$/.exec(source.slice(start, offset + from)) ?? [];
  const content = { start, end: endOfLine(source, offset, [from, to]) };
  const problem =
    indentation === undefined
      ? 'An entry that does not begin in the line of its dash is not a page.'
      : anchorProblem(node);
  return {
    ...content,
    content,
    ownKey: null,
    values: valuesOf(node),
    ...(indentation !== undefined && { dash: indentation.length }),
    ...(problem !== undefined && { problem }),
  };
}

/** An entry of an object: its lines, from the key on. Its content begins below the key. */
function readYamlPair(source: string, { key, value }: Pair, offset: number): UnnamedMember | null {
  if (!isScalar(key) || !key.range || !isMap(value)) return null;
  const [from, to] = value.range!;
  const lineStart = (position: number) => source.lastIndexOf('\n', position - 1) + 1;
  const start = lineStart(offset + key.range[0]);
  const contentLine = lineStart(offset + from);
  const isOwnLine = contentLine > offset + key.range[0];
  const isWhole = /^ *$/.test(
    source.slice(start, offset + key.range[0]) +
      (isOwnLine ? source.slice(contentLine, offset + from) : ''),
  );
  const end = endOfLine(source, offset, [from, to]);
  const problem = !isWhole
    ? 'An entry whose key does not begin a line is not a page.'
    : !value.flow && !isOwnLine
      ? 'An entry that begins in the line of its key is not a page.'
      : anchorProblem(value);
  return {
    start,
    end,
    content: value.flow ? { start: offset + from, end: offset + to } : { start: contentLine, end },
    ownKey: String(key.value),
    values: valuesOf(value),
    ...(problem !== undefined && { problem }),
  };
}

const valuesOf = ({ items }: YAMLMap) =>
  new Map(
    items.map(({ key, value }) => [
      isScalar(key) ? String(key.value) : '?',
      isScalar(value) ? value.value : null,
    ]),
  );

/** Anchors and aliases connect an entry with others, so it cannot be read alone. */
function anchorProblem(node: YamlNode): string | undefined {
  let isConnected = false;
  visit(node, {
    Node(_, inner) {
      isConnected ||= isAlias(inner) || inner.anchor !== undefined;
      return isConnected ? visit.BREAK : undefined;
    },
  });
  return isConnected ? 'An entry with an anchor or an alias is not a page.' : undefined;
}
