import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { browserBlockedPorts, chooseUiEndpoint } from '../../../src/temporal/server/uiEndpoint.ts';

describe('chooseUiEndpoint', () => {
  it('chooses among ports that the Fetch Standard blocks', async () => {
    for (const port of browserBlockedPorts) {
      const error = await fetch(`http://127.0.0.1:${port}/`).catch((reason: unknown) => reason);
      expect((error as Error).cause, String(port)).to.have.property('message', 'bad port');
    }
  });

  it('chooses another address of this machine each time on Linux', async () => {
    const chosen = await Promise.all([1, 2, 3].map(() => chooseUiEndpoint('linux')));
    expect(new Set(chosen.map(({ host }) => host)).size).to.equal(3);
    for (const { host, port } of chosen) {
      expect(host).to.match(/^127\.(?!0\.0\.1$)/);
      expect(browserBlockedPorts).to.include(port);
    }
  });

  it('skips taken ports on other systems', async () => {
    const first = await chooseUiEndpoint('darwin');
    expect(first.host).to.equal('127.0.0.1');
    const occupied = createServer().listen(first.port, first.host);
    await once(occupied, 'listening');
    const second = await chooseUiEndpoint('darwin');
    occupied.close();
    expect(browserBlockedPorts).to.include(second.port);
    expect(second.port).to.not.equal(first.port);
  });
});
