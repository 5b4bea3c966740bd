import type { Script } from '../../helpers/modelServer.ts';
import { call, type Call, firstIdIn, idIn, turnsIn } from '../../helpers/modelTurns.ts';

/** What the tools have answered a model so far. */
export interface SeenAnswers {
  /** The first group of a pattern in the newest answer that matches it. Throws where none does. */
  id: (pattern: RegExp) => string;
  /** The same in the oldest answer that matches. */
  firstId: (pattern: RegExp) => string;
}

/** A turn: its calls, from what the model has seen. */
export type Calls = (seen: SeenAnswers) => Call[];

/** What a good model does for a prompt. */
export interface GoodModel {
  /** Its turns before the one that finishes. */
  turns: Calls[];
  /** The arguments of `finish`, once for each time that it is called. */
  finish?: Record<string, unknown>[];
}

/** Reads pages before anything else. */
export const look =
  (...slugs: string[]): Calls =>
  () =>
    slugs.map((slug) => call('read_page', { slug }));

/** A text of a page's HTML, and what stands in its place then. */
export type Change = [old: string, now: string];

const edit = (slug: string, changes: Change[], more = {}) =>
  call('edit_html', { slug, edits: changes.map(([old, now]) => ({ old, new: now })), ...more });

/** Changes texts of a page's HTML. */
export const change =
  (slug: string, ...changes: Change[]): Calls =>
  () => [edit(slug, changes)];

/** Changes texts of a page's HTML, and the same on all pages. */
export const changeAll =
  (slug: string, ...changes: Change[]): Calls =>
  () => [edit(slug, changes, { everywhere: true })];

const DONE = [{ summary: 'Done as asked.' }];

/**
 * A scripted model that makes the turns of the edit whose prompt it is given. It sees only what the
 * service sends, so it says when it does not find what it needs.
 */
export function scriptOf(edits: { prompt: string; good?: GoodModel }[]): Script {
  return (asked) => {
    const request = asked.messages.find(({ role }) => role === 'user')!.content;
    const { good } = edits.find(({ prompt }) => request.includes(prompt))!;
    const { turns, finish = DONE } = good!;
    const at = turnsIn(asked);
    const seen: SeenAnswers = {
      id: (pattern) => idIn(asked, pattern),
      firstId: (pattern) => firstIdIn(asked, pattern),
    };
    try {
      const calls = turns[at]?.(seen);
      return { calls: calls ?? [finished(finish[at - turns.length] ?? finish.at(-1)!)] };
    } catch (error) {
      return { calls: [finished({ error: `Script: ${(error as Error).message}` })] };
    }
  };
}

const finished = (args: Record<string, unknown>) => call('finish', { summary: '', ...args });
