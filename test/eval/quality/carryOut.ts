import type { ModelTurn } from '../../../src/agents/shared/agentTypes.ts';
import type { LanguageModel } from '../../../src/agents/agentPorts.ts';
import {
  createWorkspace,
  recordAnswer,
  replayTurns,
  type Workspace,
} from '../../../src/agents/workspace.ts';
import { withoutUndefined } from '../../../src/contract/withoutUndefined.ts';
import type { Note, TokenUsage } from '../../../src/contract/task.ts';
import { DomainError, finalError } from '../../../src/errors.ts';
import { checkChanges } from '../../../src/sites/checks/checkChanges.ts';
import type { Tree } from '../../../src/sites/git/repository.ts';
import type { PageMethods } from '../../../src/sites/pages/pages.ts';
import { texts } from '../../helpers/texts.ts';

/** What a customer says. */
export interface Wish {
  prompt: string;
  /**
   * What the customer answers to each question; null: nobody answers in time. Absent: the task may
   * not ask.
   */
  answer?: string | null;
}

/** What came of a task: files that differ from before, by path. */
export interface Outcome {
  changed: Map<string, string | null>;
  notes: Note[];
  /** The questions that it asked. */
  asked: string[];
  usage: TokenUsage & { turns: number };
  /** Why the task failed. */
  error?: string;
  /** What a model says that it did. */
  summary?: string;
  /** What the service's own checks find before a commit: broken layout, links that lead nowhere. */
  faults?: string;
}

const TURNS = 60;
const work = { organizationId: 'eval' };
const none = (): Outcome['usage'] => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  turns: 0,
});

function add(sum: Outcome['usage'], used?: TokenUsage): void {
  sum.turns += 1;
  sum.inputTokens += used?.inputTokens ?? 0;
  sum.cachedInputTokens += used?.cachedInputTokens ?? 0;
  sum.outputTokens += used?.outputTokens ?? 0;
}

/** A prompt as a task carries it out. */
export async function followPrompt(model: LanguageModel, site: Site, edit: Wish): Promise<Outcome> {
  const usage = none();
  const asked: string[] = [];
  try {
    const { workspace, summary } = await turnByTurn(model, site, edit, { usage, asked });
    const changed = new Map(workspace.changes().map(({ path, content }) => [path, content]));
    const faults = await faultsOf(workspace, site);
    const notes = await workspace.notes();
    return { changed, notes, asked, usage, ...withoutUndefined({ summary, faults }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { changed: new Map(), notes: [], asked, usage, error: error.message };
  }
}

async function faultsOf(workspace: Workspace, { tree, pages }: Site): Promise<string | undefined> {
  try {
    const before = (path: string) => workspace.before(path);
    await checkChanges(pages, tree, { files: workspace.changes(), before, mayAddLinks: true });
    return undefined;
  } catch (error) {
    return finalError(error).message;
  }
}

/** Until the model finishes. */
async function turnByTurn(
  model: LanguageModel,
  site: Site,
  { prompt, answer }: Wish,
  { usage, asked }: Pick<Outcome, 'usage' | 'asked'>,
) {
  const mayAsk = answer !== undefined;
  const turns: ModelTurn[] = [];
  let answered: string | null | undefined;
  while (turns.length < TURNS) {
    const workspace = createWorkspace({ ...site, texts, agent: 'model', mayAsk });
    const conversation = { ...(await replayTurns(workspace, prompt, turns)), mayAsk };
    if (answered !== undefined) recordAnswer({ conversation, workspace }, answered);
    const turn = await model.step(
      { ...conversation, taskId: `bg-${'e'.repeat(22)}`, siteId: 'site' },
      work,
    );
    add(usage, turn.usage);
    const { digest, finished, asked: question } = await workspace.runTurn(turn);
    turns.push({ ...turn, digest, ...withoutUndefined({ answered }) });
    if (finished) return { workspace, summary: summaryOf(turn) };
    if (question) asked.push(question.question);
    answered = question && answer;
  }
  throw new DomainError('MODEL_FAILED', `Not finished after ${TURNS} turns`);
}

interface Site {
  tree: Tree;
  pages: PageMethods;
}

function summaryOf({ toolCalls }: ModelTurn): string | undefined {
  const { summary } = toolCalls.find(({ name }) => name === 'finish')?.arguments ?? {};
  return typeof summary === 'string' ? summary : undefined;
}
