// Takes long: other people's generators make clients of the OpenAPI document, and compilers read
// them.
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateClients, type GeneratedClients } from '../helpers/generators/generators.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';

const prompt = 'Set the title of / to "Made by a generated client"';

/** What a client found of the task that it created. */
interface ClientOutput {
  taskId: string;
  status: string;
  modified: string[];
  /** The tasks of the site, read one by one. */
  listed: string[];
  /** The status for a task that is not there, and the error's text. */
  missing: number;
  error: string;
}

describe('clients that generators create from the OpenAPI document', function () {
  this.timeout(900_000);
  let service: Service;
  let folder: string;
  let clients: GeneratedClients;
  let environment: Record<string, string>;
  before(async function () {
    needProgram(this, 'generators of clients');
    folder = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
    service = await sharedService();
    const { text } = await service.request('GET', '/api/v1/openapi.json');
    clients = await generateClients(folder, text);
    const { siteId } = await TeamSite.register(service, 'generators');
    const { json: first } = await service.postTask({ siteId, prompt });
    await service.waitForTask((first as { taskId: string }).taskId);
    environment = {
      BASE_URL: `http://127.0.0.1:${service.port}/api/v1`,
      API_KEY: service.demo.apiKey,
      SITE_ID: siteId,
      PROMPT: prompt,
    };
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
    if (folder) rmSync(folder, { recursive: true });
  });

  it('compile: openapi-generator for Java', () => clients.compileJava());
  it('compile: openapi-generator for TypeScript', () => clients.compileTypeScript());

  function expectUsed(found: unknown, generators: string[]) {
    const results = found as Record<string, ClientOutput>;
    expect(Object.keys(results)).to.have.members(generators);
    for (const [generator, { taskId, listed, ...result }] of Object.entries(results)) {
      expect(result, generator).to.deep.equal({
        status: 'completed',
        modified: ['/'],
        missing: 404,
        error: 'Task not found',
      });
      expect(listed, generator).to.include(taskId).and.have.length.above(1);
      expect(new Set(listed).size, generator).to.equal(listed.length);
    }
  }

  it('create, wait, list and fail in Go: openapi-generator and oapi-codegen', async () =>
    expectUsed(await clients.useGo(environment), ['openapi-generator', 'oapi-codegen']));

  it('create, wait, list and fail in Python: openapi-generator and openapi-python-client', async () =>
    expectUsed(await clients.usePython(environment), [
      'openapi-generator',
      'openapi-python-client',
    ]));
});
