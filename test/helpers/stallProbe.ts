// Loaded into a service before its own modules: tells on a socket how long its event loop stalled.
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { startStallClock } from './stallClock.ts';

const path = process.env['STALL_PROBE'];

if (isMainThread && path) {
  const clock = startStallClock();
  createServer((socket) => {
    void clock.takeLongest().then((longest) => socket.end(String(longest)));
  })
    .listen(path)
    .unref();
}
