import { relative } from 'node:path';

/**
 * What our rules use of the linter's plugins
 * (https://oxc.rs/docs/guide/usage/linter/writing-js-plugins).
 */
export interface Rule {
  /** By option, its JSON schema. */
  meta?: { schema: object[] };
  /** Looks at one file. Returns what to do with each node of its syntax, by the node's type. */
  create(context: Context): Record<string, (node: Node) => void>;
}

export interface Context {
  filename: string;
  options: unknown[];
  sourceCode: { text: string; getAllComments(): Comment[] };
  report: (problem: { message: string } & ({ node: Node } | SourceRange)) => void;
}

export interface Comment extends SourceRange {
  value: string;
}

interface SourceRange {
  loc: { start: Position; end: Position };
}

/** A line, counted from 1, and a column, counted from 0. */
interface Position {
  line: number;
  column: number;
}

export interface Node extends SourceRange {
  type: string;
  source?: Node | null;
  value?: unknown;
  name?: string;
  /** What has the property, as in `object.property`. */
  object?: Node;
  /** Of an object, as in `object.property` and `object['property']`. */
  property?: Node;
  /** What is spread. */
  argument?: Node;
  /** What is called. */
  callee?: Node;
}

/** A file as people name it: from the project's folder. */
export const nameOf = (file: string) => relative('.', file);

/** The beginning of a file, where problems of the whole file are shown. */
export const start: SourceRange = {
  loc: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } },
};
