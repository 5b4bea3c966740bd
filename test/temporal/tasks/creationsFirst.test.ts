import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { createPrecedence } from '../../../src/precedence.ts';
import { createTaskClient } from '../../../src/temporal/tasks/taskClient.ts';

describe('the start of a task', () => {
  for (const { name, settle } of [
    { name: 'is answered', settle: 'resolve' },
    { name: 'fails', settle: 'reject' },
  ] as const)
    it(`goes before steps that begin meanwhile, until it ${name}`, async () => {
      const sent = Promise.withResolvers<void>();
      const server = Promise.withResolvers<object>();
      const call = <T>(_: unknown, work: () => T) => work();
      const start = () => (sent.resolve(), server.promise);
      const client = {
        ...{ options: {}, withDeadline: call, withAbortSignal: call },
        workflow: { start, count: () => Promise.resolve({ count: 0 }), getHandle: () => ({}) },
      } as unknown as Client;
      const creations = createPrecedence('a creation', 60_000);
      const tasksInFlight = { organization: 10, site: 10 };
      const options = { client, secret: Buffer.alloc(32), workflowTaskTimeout: 1, tasksInFlight, creations };
      const tasks = createTaskClient(options);
      const work = { type: 'prompt' as const, prompt: 'Shorten it' };
      const task = { organizationId: 'org', siteId: 'site', siteName: 'Site', publish: false, work };
      const told: string[] = [];
      const created = tasks.start({ task, bodyHash: 'hash' }).then(
        () => told.push('resolve'),
        () => told.push('reject'),
      );
      await sent.promise;
      const step = creations.free().then(() => told.push('step'));
      await new Promise(setImmediate);
      expect(told).to.deep.equal([]);
      if (settle === 'resolve') server.resolve({});
      else server.reject(new Error('refused'));
      await Promise.all([created, step]);
      await tasks.close();
      expect(told.toSorted()).to.deep.equal([settle, 'step'].toSorted());
    });
});
