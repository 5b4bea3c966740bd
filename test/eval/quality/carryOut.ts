import type { GeneratedPage, Turn } from '../../../src/agents/agent.ts';
import type { Agent, LanguageModel, Rules } from '../../../src/agents/port.ts';
import { createWorkspace, hear, replay, type Workspace } from '../../../src/agents/workspace.ts';
import { defined } from '../../../src/contract/defined.ts';
import type { Note, Usage } from '../../../src/contract/task.ts';
import { DomainError, finalError } from '../../../src/errors.ts';
import { checkChanges } from '../../../src/sites/checks/checkChanges.ts';
import type { Tree } from '../../../src/sites/git/repository.ts';
import { fileNames } from '../../../src/sites/pages/fileNames.ts';
import type { Pages } from '../../../src/sites/pages/pages.ts';
import { readPageSource } from '../../../src/sites/pages/pageSource.ts';
import { readSisters, readTemplate } from '../../../src/sites/pages/template.ts';
import { texts } from '../../helpers/texts.ts';
import type { Batch } from './batches.ts';

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
  usage: Usage & { turns: number };
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

function add(sum: Outcome['usage'], used?: Usage): void {
  sum.turns += 1;
  sum.inputTokens += used?.inputTokens ?? 0;
  sum.cachedInputTokens += used?.cachedInputTokens ?? 0;
  sum.outputTokens += used?.outputTokens ?? 0;
}

/** A prompt as a task carries it out. */
export async function followPrompt(agent: Agent, site: Site, edit: Wish): Promise<Outcome> {
  const usage = none();
  const asked: string[] = [];
  try {
    const { workspace, summary } =
      'carryOut' in agent
        ? await carriedOut(agent, site, edit.prompt, usage)
        : await turnByTurn(agent, site, edit, { usage, asked });
    const changed = new Map(workspace.changes().map(({ path, content }) => [path, content]));
    const faults = await faultsOf(workspace, site);
    const notes = await workspace.notes();
    return { changed, notes, asked, usage, ...defined({ summary, faults }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { changed: new Map(), notes: [], asked, usage, error: error.message };
  }
}

async function faultsOf(workspace: Workspace, { tree, pages }: Site): Promise<string | undefined> {
  try {
    const before = (path: string) => workspace.before(path);
    await checkChanges(pages, tree, { files: workspace.changes(), before, newLinks: true });
    return undefined;
  } catch (error) {
    return finalError(error).message;
  }
}

async function carriedOut(rules: Rules, site: Site, prompt: string, usage: Outcome['usage']) {
  const workspace = createWorkspace({ ...site, texts });
  await rules.carryOut(workspace, prompt, work);
  add(usage);
  return { workspace, summary: undefined };
}

/** Until the model finishes. */
async function turnByTurn(
  model: LanguageModel,
  site: Site,
  { prompt, answer }: Wish,
  { usage, asked }: Pick<Outcome, 'usage' | 'asked'>,
) {
  const mayAsk = answer !== undefined;
  const turns: Turn[] = [];
  let answered: string | null | undefined;
  while (turns.length < TURNS) {
    const workspace = createWorkspace({ ...site, texts, agent: 'model', mayAsk });
    const conversation = { ...(await replay(workspace, prompt, turns)), mayAsk };
    if (answered !== undefined) hear({ conversation, workspace }, answered);
    const turn = await model.step(
      { ...conversation, taskId: `bg-${'e'.repeat(22)}`, siteId: 'site' },
      work,
    );
    add(usage, turn.usage);
    const { digest, finished, asked: question } = await workspace.take(turn);
    turns.push({ ...turn, digest, ...defined({ answered }) });
    if (finished) return { workspace, summary: summaryOf(turn) };
    if (question) asked.push(question.question);
    answered = question && answer;
  }
  throw new DomainError('MODEL_FAILED', `Not finished after ${TURNS} turns`);
}

interface Site {
  tree: Tree;
  pages: Pages;
}

/**
 * A batch of pages as a task writes them, each mended once where it is rejected. Throws what fails
 * the task.
 */
export async function writeBatch(
  agent: Agent,
  { tree, pages }: Site,
  { template: slug, items }: Batch,
) {
  const path = [...tree.entries.keys()].find(
    (path) => pages.isPage(path) && pages.slugOf(path) === slug,
  );
  if (path === undefined) throw new Error(`There is no page ${slug}`);
  const template = await readPageSource(tree, path);
  const sisters = await readSisters(tree, pages, path);
  const { digest, slots, ...parts } = await readTemplate(tree, pages, path);
  const own = { ...parts, slug, slots: slots.filter(({ locked }) => !locked) };
  const sitePaths = [...tree.entries.keys()];
  const slugs = items.map((item) => item.slug);
  const targets = await pages.planTargets(fileNames([...tree.entries.values()]), {
    templatePath: path,
    slugs,
  });
  const outcome: Outcome = { changed: new Map(), notes: [], asked: [], usage: none() };
  for (const [i, { slug: targetPageSlug, context }] of items.entries()) {
    const job = {
      taskId: `bg-${'e'.repeat(22)}`,
      siteId: 'site',
      template: own,
      item: { targetPageSlug, context },
    };
    const page = await written(agent, job, outcome.usage);
    const target = targets[i]!;
    const made = await pages.create({ template, sisters, digest, sitePaths, ...page, target });
    outcome.changed.set(target.path, made);
    outcome.notes.push(...page.notes);
  }
  return outcome;
}

async function written(
  agent: Agent,
  job: Parameters<Agent['generatePage']>[0],
  usage: Outcome['usage'],
) {
  const first = await agent.generatePage(job, work);
  add(usage, first.rejected ? first.rejected.usage : first.usage);
  if (!first.rejected) return first;
  const mended = await agent.generatePage({ ...job, rejected: first.rejected }, work);
  add(usage, mended.rejected ? mended.rejected.usage : mended.usage);
  if (mended.rejected) throw new Error(mended.rejected.problems.join('; '));
  return mended satisfies GeneratedPage;
}

function summaryOf({ toolCalls }: Turn): string | undefined {
  const { summary } = toolCalls.find(({ name }) => name === 'finish')?.arguments ?? {};
  return typeof summary === 'string' ? summary : undefined;
}
