import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import type { TaskRef } from '../../activities/deps.ts';
import type { BatchStore, NewBatch } from '../../src/contract/batches/batchStore.ts';
import type { ContentChange } from '../../src/editor/protocol.ts';
import type { GitRepositories } from '../../src/sites/git/repository.ts';
import { createEditor } from '../../src/editor/editor.ts';
import { createSiteHosting } from '../../src/hosting/hosting.ts';
import { createSiteHosts } from '../../src/hosting/hosts.ts';
import { editableRow } from '../../src/tasks/batches/editRow.ts';
import { cityItem, type TaskSite, TEMPLATE } from './activities.ts';
import { git } from './team/workplace.ts';
import { testNoteResolver, testPages } from './threads.ts';

/** A batch of a site, whose steps are run in the order of its workflow, and edits of its pages. */
export class BatchRun {
  readonly site: TaskSite;
  readonly task: TaskRef;
  constructor(site: TaskSite) {
    this.site = site;
    this.task = site.task();
  }

  get batchId() {
    return this.task.taskId;
  }
  get store(): BatchStore {
    return this.site.deps.batches;
  }

  /** Stores a batch and runs it. */
  static async make(site: TaskSite, cities: string[], more: Partial<NewBatch> = {}) {
    const run = new BatchRun(site);
    const { taskId: batchId, organizationId, siteId, createdAt } = run.task;
    await run.store.create({
      batchId,
      organizationId,
      siteId,
      createdAt,
      createdBy: { keyId: 'k' },
      bodyHash: 'hash',
      title: 'A batch',
      publish: false,
      onWarnings: 'publish',
      rows: cities.map((city, n) => ({
        number: n + 1,
        templatePageSlug: TEMPLATE,
        ...cityItem(city),
      })),
      ...more,
    });
    await run.run();
    return run;
  }

  find = () => this.store.find(this.task.organizationId, this.batchId);
  states = async () =>
    (await this.store.rows(this.batchId, { after: 0, limit: 500 })).map(({ state }) => state);
  ref = () => git(this.site.workplace.remote, 'rev-parse', `refs/agent-tasks/${this.batchId}`);
  /** A page's headline in a commit. */
  headline(city: string, commit = this.ref()): string {
    const source = this.site.workplace.show(fileOf(city), commit);
    return /<h1[^>]*>([^]*?)<\/h1>/.exec(source)?.[1]?.trim() ?? '';
  }
  lastMessage = (city: string, commit = this.ref()) =>
    git(this.site.workplace.remote, 'log', '-1', '--format=%B', commit, '--', fileOf(city));

  /** Changes the batch, and runs it again. */
  async again(changes: Parameters<BatchStore['change']>[1] = {}, worker?: TaskActivities) {
    await this.store.change(this.batchId, { ...changes, status: 'running' });
    await this.run(worker);
  }
  approve = (number: number) =>
    this.store.move(this.batchId, { from: ['held'], to: 'written', numbers: [number] });

  /** Makes failed rows again: one, or all. */
  async retry(number?: number) {
    const numbers = number === undefined ? {} : { numbers: [number] };
    await this.store.move(this.batchId, { from: ['failed'], to: 'waiting', ...numbers });
    await this.again();
  }
  errors = async () =>
    (await this.store.rows(this.batchId, { after: 0, limit: 500, state: 'failed' })).map(
      ({ error }) => error,
    );

  /** A run whose process dies at a call of the database. @param calls how many succeed before */
  async dieAt(step: keyof BatchStore, calls = 0) {
    let left = calls;
    let isDead = false;
    const dying = async (...of: never[]) => {
      if (left-- > 0) return (this.store[step] as (...given: never[]) => Promise<never>)(...of);
      isDead = true;
      throw new Error('killed');
    };
    const batches = { ...this.store, [step]: dying };
    await this.run(this.site.worker('data', { batches })).catch(() => undefined);
    expect(isDead, step).to.equal(true);
  }

  /** All steps of a run. */
  async run(worker = this.site.worker()): Promise<void> {
    const { task } = this;
    const { templates, base, publish, onWarnings } = runningPlan(await worker.planBatch({ task }));
    const rows = await worker.readNextRows({ task, limit: 500 });
    for (const { number, templatePageSlug } of rows) {
      const template = templates[templatePageSlug]!;
      await worker.generateRow({ task, base, template, number, onWarnings });
    }
    while ((await worker.commitRows({ task, templates })).isLeft);
    const { commit, mayPublish } = await worker.deployBatchPreview({ task, templates, publish });
    if (commit !== undefined && mayPublish) {
      const merged = await worker.publish({ task, base, commit });
      await worker.deployBatch({ task, commit: merged.commit });
    }
    await worker.completeBatch({ task, status: 'completed' });
  }

  /** The editor of a process of the API. */
  editor(
    batches: Pick<BatchStore, 'edit'> = this.store,
    repositories: Pick<GitRepositories, 'open'> = this.site.repositoriesIn('data'),
  ) {
    const { sites, deployments } = this.site;
    const publicUrl = () => new URL('http://localhost:3000');
    const domains = { sitesDomain: 'sites.localhost', previewDomain: 'preview.localhost' };
    const hosts = createSiteHosts({ ...domains, publicUrl });
    const hosting = createSiteHosting({ repositories, deployments, hosts });
    const pages = testPages;
    const deps = { sites, repositories, deployments, hosting, pages, batches };
    return createEditor({ ...deps, ...testNoteResolver });
  }

  async editable(city: string) {
    const deps = { batches: this.store, deployments: this.site.deployments };
    return editableRow(deps, await this.find(), slugOf(city));
  }

  /** Saves a headline by hand. */
  async edit(city: string, text: string, editor = this.editor(), person?: string) {
    const task = await this.editable(city);
    const { digest, texts } = await editor.open(task, slugOf(city));
    const { id } = texts.find(({ level }) => level === 1)!;
    const change: ContentChange = { digest, texts: { [id]: [text] } };
    return editor.save(
      task,
      slugOf(city),
      change,
      person === undefined ? null : { userId: person },
    );
  }
}

export const slugOf = (city: string) => `/locations/${city.toLowerCase()}`;
export const fileOf = (city: string) => `locations/${city.toLowerCase()}.html`;

/** The plan of a batch that is to be worked on. */
export function runningPlan(plan: Awaited<ReturnType<TaskActivities['planBatch']>>) {
  if (plan.status !== 'running') throw new Error(`The batch is ${plan.status}`);
  return plan;
}
