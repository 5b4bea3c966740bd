import { expect } from 'chai';
import { createLogger } from '../../src/log.ts';
import { failingTasks, bearer, keys, organizationId, startApi, taskId } from '../helpers/api.ts';

describe('the log', () => {
  it('has one line for each request, with request, organization, site and task IDs, status and milliseconds', async () => {
    const api = await startApi();
    await api.create({ siteId: api.site.siteId, prompt: 'x' }, { 'X-Request-Id': 'r-1' });
    await api.request('GET', '/nothing?token=secret', { headers: { 'X-Request-Id': 'r-2' } });
    await api.close();
    const [first, second, ...more] = api.logs;
    expect(more).to.be.empty;
    expect(first).to.include({
      level: 'info',
      requestId: 'r-1',
      method: 'POST',
      path: '/api/v1/agent/tasks',
      status: 200,
    });
    expect(first).to.include({ organizationId, siteId: api.site.siteId, taskId });
    expect(first?.['ms']).to.be.a('number');
    expect(second).to.include({ requestId: 'r-2', path: '/nothing', status: 404 });
  });

  it('never contains a key, a context, a prompt or a query string, whatever fails', async () => {
    const secret = 'TOPSECRET';
    const failing = {
      ...failingTasks(new Error()),
      start: () =>
        Promise.reject(
          Object.assign(new Error('down'), { detail: secret, request: { prompt: secret } }),
        ),
    };
    const api = await startApi({ tasks: failing });
    const { siteId } = api.site;
    const items = [{ targetPageSlug: '/a', context: secret }];
    await api.create({
      siteId,
      prompt: secret,
      callbackUrl: `https://client.example.com/?k=${secret}`,
    });
    await api.create({ siteId, prompt: secret, [secret]: 1 });
    await api.create({ siteId, command: 'generate_pages', templatePageSlug: '/t', items });
    await api.create(secret);
    await api.request('GET', `/api/v1/agent/tasks/${taskId}?key=${secret}`, {
      headers: bearer(keys.member),
    });
    await api.request('GET', `/api/v1/agent/tasks/${taskId}`, { headers: bearer(secret) });
    await api.close();
    expect(api.logs.length).to.be.at.least(6);
    expect(JSON.stringify(api.logs)).not.to.include(secret);
  });

  it('redacts fields by name, and keeps the causes of errors', () => {
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => lines.push(line) });
    const err = new Error('outer', { cause: new Error('inner') });
    logger.info({ apiKey: 'S1', item: { context: 'S2' }, request: { headers: 'S3' }, err }, 'x');
    expect(lines[0])
      .to.include('"message":"inner"')
      .and.not.match(/S[123]/);
  });
});
