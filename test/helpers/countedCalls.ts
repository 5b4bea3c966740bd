import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { PGlite } from '@electric-sql/pglite';
import protobuf from 'protobufjs';

/** What the service asked while it answered one request. */
export interface RequestCalls {
  /** The SQL of each statement that went to the embedded database. */
  queries: string[];
  /** The name of each call that went to Temporal. */
  rpcs: string[];
}

export interface CountedCalls {
  /** The calls for the last request that arrived. Background work does not count. */
  last(): RequestCalls;
  /** The embedded databases that have been asked so far. */
  databases(): PGlite[];
  /** Counts no more. */
  stop(): void;
}

type RpcCall = (this: unknown, method: { name: string }, ...more: unknown[]) => unknown;

const REQUEST_BEGINS = 'http.server.request.start';

/**
 * Counts calls at the last place in this process that each of them passes: the embedded database's
 * `query`, and the SDK's `rpcCall`. An asynchronous context tells which request they are for, so
 * the service must run in the process of the test.
 */
export function countCalls(): CountedCalls {
  const context = new AsyncLocalStorage<RequestCalls>();
  const databases = new Set<PGlite>();
  let last: RequestCalls = { queries: [], rpcs: [] };
  const begin = () => {
    last = { queries: [], rpcs: [] };
    context.enterWith(last);
  };
  subscribe(REQUEST_BEGINS, begin);

  // oxlint-disable-next-line unbound-method -- it is applied to the database that was asked
  const { query } = PGlite.prototype;
  PGlite.prototype.query = function counted(this: PGlite, ...words: Parameters<PGlite['query']>) {
    databases.add(this);
    context.getStore()?.queries.push(words[0]);
    return query.apply(this, words);
  } as typeof query;

  const service = protobuf.rpc.Service.prototype as unknown as { rpcCall: RpcCall };
  const { rpcCall } = service;
  service.rpcCall = function counted(method, ...more) {
    context.getStore()?.rpcs.push(method.name);
    return rpcCall.call(this, method, ...more);
  };

  return {
    last: () => last,
    databases: () => [...databases],
    stop() {
      unsubscribe(REQUEST_BEGINS, begin);
      PGlite.prototype.query = query;
      service.rpcCall = rpcCall;
    },
  };
}
