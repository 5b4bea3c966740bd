import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  NO_CONNECTION_REASON,
  noAnswerReason,
  probeModelUrl,
  unreachableModelSentence,
} from '../../../../../src/agents/model/calls/probeModelUrl.ts';

describe('The model check at the start', () => {
  const servers: Server[] = [];
  async function listen(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }
  after(() =>
    Promise.all(
      servers.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    ),
  );

  it('accepts any answer', async () => {
    for (const status of [200, 301, 401, 404, 500]) {
      const port = await listen((_request, response) => void response.writeHead(status).end('x'));
      expect(await probeModelUrl(`http://127.0.0.1:${port}/v1`)).to.equal(undefined);
    }
  });

  it('reports in a sentence that nothing answers, without the credentials before the host', async () => {
    const port = await listen(() => undefined);
    expect(await probeModelUrl(`http://127.0.0.1:${port}/v1?key=secret`, 100)).to.equal(
      unreachableModelSentence(`127.0.0.1:${port}`, noAnswerReason(100)),
    );
    for (const credentials of ['', 'me:secret@'])
      expect(await probeModelUrl(`http://${credentials}127.0.0.1:1/v1`)).to.equal(
        unreachableModelSentence('127.0.0.1:1', NO_CONNECTION_REASON),
      );
  });
});
