// Takes long: it starts a service of its own, whose tasks fail one after the other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answerOf } from '../helpers/operator.ts';
import {
  filesWith,
  type PrivateRepository,
  startPrivateRepository,
} from '../helpers/team/privateRepository.ts';
import { formsOf, sentencesWith } from '../helpers/secretForms.ts';
import { endServices, startService } from '../helpers/service.ts';

const token = 'to/k+%41=&<4711>';
const username = 'x-access-token';

describe('a remote whose hooks repeat the token', function () {
  this.timeout(300_000);
  let repository: PrivateRepository;
  before(async () => {
    repository = await startPrivateRepository(token);
  });
  after(async function () {
    await endServices(this.currentTest);
    await repository.close();
  });

  it('gets it into no answer, log, history, database or other file', async () => {
    const { place } = repository;
    const service = await startService({ env: repository.env });
    const owner = [
      '--organization',
      service.demo.organizationId,
      '--role',
      'admin',
      '--name',
      'hooks',
    ];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...owner);
    const headers = {
      authorization: `Bearer ${String(apiKey)}`,
      'content-type': 'application/json',
    };
    const ask = (method: string, path: string, body?: object) =>
      service.request(method, `/api/v1${path}`, {
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
    const given = { url: repository.url, credential: { type: 'token', token } };
    const added = await ask('POST', '/sites', { name: 'Repeating', repository: given });
    expect(added.status, added.text).to.equal(201);
    const { siteId } = added.json as { siteId: string };
    place.hook('pre-receive', `cat '${place.folder}/said' >&2; exit 1`);

    const answers: string[] = [];
    for (const sentence of sentencesWith(token, username)) {
      writeFileSync(join(place.folder, 'said'), sentence);
      const headline = `Change the headline of /pricing to "Told ${answers.length}"`;
      const taskId = await service.createTask({ siteId, prompt: headline, publish: true });
      const task = await service.waitForTask(taskId);
      expect(JSON.stringify(task)).to.include('[credential]');
      for (const path of [
        `/sites/${siteId}`,
        `/agent/tasks/${taskId}`,
        `/sites/${siteId}/deployments`,
      ])
        answers.push((await ask('GET', path)).text);
      answers.push((await ask('POST', '/sites/check', { repository: given })).text);
    }
    expect(answers.join('\n')).to.include('[credential]');
    await service.stop();
    const forms = formsOf(token, username);
    const inTexts = (text: string) =>
      forms.filter((form) => text.toLowerCase().includes(form.toLowerCase()));
    expect(inTexts(answers.join('\n')), 'answers').to.deep.equal([]);
    expect(inTexts(service.launched.log()), 'log').to.deep.equal([]);
    expect(
      filesWith(service.dataDir, token),
      'files, the database and histories among them',
    ).to.deep.equal([]);
  });
});
