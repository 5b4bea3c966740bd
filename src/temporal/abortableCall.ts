import { addAbortListener } from 'node:events';

/** A client or a connection of the SDK. */
interface AbortableConnection {
  withAbortSignal<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>;
}

/**
 * Makes a call to Temporal that ends when one of the signals aborts.
 *
 * For each request, the SDK adds a listener to the signal that it gets, and never removes it. The
 * listener keeps the request with its answer for as long as the signal lives. So the SDK gets a
 * signal that belongs to this call alone, and the given signals are unlinked from it at the call's
 * end. `AbortSignal.any` would not do: its source keeps a signal that still has listeners.
 * @param signals undefined ones are ignored
 * @throws the reason of a signal that has aborted before the call
 */
export async function callUntilAborted<T>(
  connection: AbortableConnection,
  signals: (AbortSignal | undefined)[],
  call: () => Promise<T>,
): Promise<T> {
  const callController = new AbortController();
  using signalLinks = new DisposableStack();
  for (const signal of signals.filter((candidate) => candidate !== undefined)) {
    signal.throwIfAborted();
    signalLinks.use(addAbortListener(signal, () => callController.abort(signal.reason)));
  }
  return await connection.withAbortSignal(callController.signal, call);
}
