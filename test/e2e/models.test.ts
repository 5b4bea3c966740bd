import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { crawl } from '../helpers/crawl.ts';
import { headlineOf, locationsOf, skeleton, titleOf } from '../helpers/markup.ts';
import {
  type ModelRequest,
  type ModelServer,
  type Reply,
  startModelServer,
} from '../helpers/modelServer.ts';
import {
  aboutPrompt,
  aboutSummary,
  aboutTurn,
  citiesTask,
  cityAnswer,
  citySlugs,
  demoStory,
  leadOf,
  obeyingTurn,
  orderedPage,
  phoneOf,
  tidyPrompt,
  TURNS,
} from '../helpers/modelStory.ts';
import { processesOf } from '../helpers/processes.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { demoPages, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { errorOf, outputOf } from '../helpers/views.ts';
import { withoutAbout } from '../helpers/withoutAbout.ts';

const keys = {
  ANTHROPIC_API_KEY: 'key-anthropic-5f1c0d',
  OPENAI_API_KEY: 'key-openai-77aa31',
  GOOGLE_GENERATIVE_AI_API_KEY: 'key-google-9be204',
  AGENT_API_KEY: 'key-compatible-4417c8',
};
const name = 'openai-compatible/org/qwen:8b';
const usage = { prompt_tokens: 1_000, completion_tokens: 50, cached_tokens: 400 };
const used = (turns: number) => ({
  inputTokens: 1_000 * turns,
  cachedInputTokens: 400 * turns,
  outputTokens: 50 * turns,
  turns,
  model: name,
  cost: null,
});

function answer(asked: ModelRequest): Reply {
  const { tools, messages } = asked;
  if (messages.some(({ content }) => content.includes('You are refused')))
    return {
      status: 401,
      body: { error: { message: `Wrong key: ${Object.values(keys).join(' ')}` } },
    };
  if (messages.some(({ role, content }) => role === 'user' && content.includes(tidyPrompt)))
    return { calls: obeyingTurn(asked), usage };
  if (tools.length === 0) return { text: cityAnswer(asked), usage };
  return { calls: aboutTurn(asked, demoStory), usage };
}

describe('tasks of language models', function () {
  this.timeout(240_000);
  let model: ModelServer;
  let folder: string;
  let service: Service;
  let site: TeamSite;
  before(async () => {
    model = await startModelServer(answer);
    service = await startService({
      env: { AGENT_MODEL: name, AGENT_BASE_URL: model.url('openai-compatible'), ...keys },
    });
    folder = withoutAbout(demoPages);
    site = await TeamSite.register(service, 'story', folder);
  });
  after(async function () {
    await endServices(this.currentTest);
    await model?.close();
    removeTeamSites();
    rmSync(folder, { recursive: true, force: true });
  });

  it("carry out a prompt, fix the model's mistakes, and are published", async () => {
    const since = model.requests().length;
    const files = pagesIn(site.files());
    const sources = new Map(
      await Promise.all(files.map(async (path) => [path, site.show(path)] as const)),
    );
    const untouched = await crawl(site.live(''));
    const view = await site.run({ prompt: aboutPrompt, model: name });
    const output = outputOf(view);
    expect(output).to.deep.include({
      summary: aboutSummary,
      usage: used(TURNS),
      pagesDeleted: [],
    });
    expect(output.pagesCreated.map(({ slug }) => slug)).to.deep.equal(['/about']);
    expect(output.pagesModified).to.have.length(files.length);

    const commit = `refs/agent-tasks/${view.taskId}`;
    for (const [path, before] of sources) {
      const after = site.show(path, commit);
      expect(after, path).to.match(entry);
      const without = after.replace(entry, '');
      if (path === 'index.html') expect(skeleton(without), path).to.deep.equal(skeleton(before));
      else expect(without, path).to.equal(before);
    }
    const about = await expectAbout(output.pagesCreated[0]!.previewUrl!);
    expect(about.split(/<nav\b/)[1]!.split('</nav>')[0]).to.match(entry);
    await expectWhole(new URL(output.pagesCreated[0]!.previewUrl!).origin, untouched);
    const requests = model.requests().slice(since);
    expect(requests).to.have.length(TURNS);
    expectMended(requests.at(-1)!.body);

    const details = await detailsOf(service, view.taskId);
    expect(details).to.contain(
      '| turn 1 | list\\_pages, read\\_page ×2, search · 1000 input tokens (400 cached), 50 output tokens |',
    );
    expect(details).to.contain(
      `${TURNS} calls · 8000 input tokens (3200 cached), 400 output tokens |`,
    );

    const published = await service.request('POST', `/api/v1/agent/tasks/${view.taskId}/publish`);
    expect(published.status, published.text).to.equal(200);
    outputOf(await service.waitForTask(published.json.taskId as string));
    await expectAbout(site.live('/about'));
    await expectWhole(site.live(''), untouched);
  });

  it('write ten pages, one of which is rejected at first and then fixed', async () => {
    const view = await service.waitForTask(
      await service.createTask({ ...citiesTask(), model: name }),
    );
    const { pagesCreated, usage: total, warnings = [] } = outputOf(view);
    expect(pagesCreated.map(({ slug }) => slug)).to.deep.equal(citySlugs);
    expect(total).to.deep.equal(used(citySlugs.length + 1));
    const template = withoutNumbers(skeleton(demo('locations/austin.html')));
    for (const { slug, previewUrl } of pagesCreated) {
      const { status, text } = await service.request('GET', previewUrl!);
      expect(status, slug).to.equal(200);
      expect(withoutNumbers(skeleton(text)), slug).to.deep.equal(template);
      expect(text, slug)
        .to.contain(leadOf(slug))
        .and.to.contain(phoneOf(slug))
        .and.not.match(/Austin/);
      const city = new RegExp(`^Web design in ${slug.slice('/locations/'.length)}`, 'i');
      expect(titleOf(text), slug).to.match(city);
      expect(headlineOf(text), slug).to.match(city);
      expect(
        warnings.filter((warning) => warning.startsWith(`${slug}: `) && warning.includes('price')),
        slug,
      ).to.have.length.above(0);
    }
    const sitemap = await service.request(
      'GET',
      new URL('/sitemap.xml', pagesCreated[0]!.previewUrl!).href,
    );
    for (const slug of citySlugs) expect(locationsOf(sitemap.text).join()).to.contain(slug);
  });

  it('are held if the model obeys an order on a page to name a new host and to delete another page', async () => {
    const pages = { 'visit.html': orderedPage, 'offers.html': orderedPage };
    site.push(pages);
    const view = await site.run({
      prompt: tidyPrompt,
      model: name,
      publish: true,
      onWarnings: 'hold',
    });
    const { notes = [], pagesModified, pagesDeleted } = outputOf(view);
    expect(pagesModified[0]).to.include({ slug: '/visit', publishedUrl: null });
    expect(pagesDeleted.map(({ slug }) => slug)).to.deep.equal(['/offers']);
    const named = notes.map(({ kind, page, value }) => [kind, page ?? value]);
    expect(named).to.deep.include(['host', '/visit']).and.to.deep.include(['changed', '/offers']);
    expect(notes.at(-1)!.kind).to.equal('unpublished');
    for (const path of Object.keys(pages)) expect(site.show(path), path).to.equal(orderedPage);
  });

  it('fail with the message of the provider, without the key', async () => {
    const error = errorOf(await site.run({ prompt: 'You are refused', model: name }));
    expect(error)
      .to.contain(name.split('/').at(-1))
      .and.match(/refuse|key/i);
    for (const key of Object.values(keys)) expect(error).to.not.contain(key);
  });

  it('send their keys only in requests to their provider', () => expectNoKey(service));

  async function expectAbout(url: string): Promise<string> {
    const { status, text } = await service.request('GET', url);
    expect(status, url).to.equal(200);
    expect(titleOf(text)).to.match(/^About us/);
    expect(text).to.match(/team/i).and.not.contain('team-grid').and.not.contain('{{');
    return text;
  }

  /** What the model was told of its mistakes: each answer led to the next turn. */
  function expectMended(conversation: string) {
    expect(conversation)
      .to.contain('Page not found: /home')
      .and.contain('Not finished: ')
      .and.contain('{{offer}}');
  }
});

/** An entry of a navigation that leads to the about page. */
const entry = /\s*<li[^<>]*>\s*<a [^<>]*href="[^"]*about(?:\.html)?"[^<>]*>About<\/a>\s*<\/li>/;
/** Where a link to a telephone leads goes with its number. */
const withoutNumbers = (parts: string[]) =>
  parts.map((part) => part.replace(/"tel:[^"]*"/, '"tel:"'));
const pagesIn = (files: string[]) => files.filter((path) => path.endsWith('.html'));
const demo = (path: string) =>
  readFileSync(new URL(`../../src/demo/site/${path}`, import.meta.url), 'utf8');

/** Everything that a site's pages lead to is there, but what was missing before. */
async function expectWhole(origin: string, before: Map<string, string>) {
  const found = await crawl(origin);
  expect(found.size).to.be.above(before.size - 1);
  for (const [path, answer] of found)
    if (answer.startsWith('404'))
      expect(before.get(path) ?? path, path).to.match(/^404|^\/(404|sitemap|robots)/);
}

/**
 * Looks for keys where they must not be: log, histories, files, and the processes that the service
 * started.
 */
async function expectNoKey(service: Service) {
  const found: string[] = [];
  const look = (where: string, text: string) => {
    for (const [name, key] of Object.entries(keys))
      if (text.includes(key)) found.push(`${name} in ${where}`);
  };
  look('log', service.launched.log());
  const client = await connectTemporal(service);
  let histories = 0;
  for await (const { workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    look(`history of ${workflowId}`, textsIn(await handle.fetchHistory()));
    histories++;
  }
  await client.connection.close();
  expect(histories).to.be.above(2);
  for (const entry of readdirSync(service.dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      look(entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  const children = processesOf(service.dataDir).filter(({ pid }) => pid !== service.launched.pid);
  expect(children).to.not.be.empty;
  for (const { pid, command } of children)
    look(command, readFileSync(`/proc/${pid}/environ`, 'latin1'));
  expect(found).to.deep.equal([]);
}

/** What an operator sees of a task in the Temporal UI. */
async function detailsOf(service: Service, taskId: string): Promise<string> {
  const client = await connectTemporal(service);
  const handle = client.workflow.getHandle(taskId);
  const { currentDetails } = await handle.query<{ currentDetails: string }>(
    '__temporal_workflow_metadata',
  );
  await client.connection.close();
  return currentDetails;
}

/** All texts of a value, with the bytes of payloads as text. */
function textsIn(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textsIn).join('\n');
}
