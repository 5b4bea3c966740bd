// Loaded into a service before its own modules: tells on a socket how long its event loop stalled.
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;
const path = process.env['STALL_PROBE'];

if (isMainThread && path) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  // the histogram learns of a stall after the connection
  createServer((socket) => {
    setTimeout(() => {
      socket.end(String(histogram.max / 1e6));
      histogram.reset();
    }, RESOLUTION_MS * 3);
  })
    .listen(path)
    .unref();
}
