import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '../test/helpers/service.ts';
import { TeamSite } from '../test/helpers/team/site.ts';

const FILES = 9;
const FILE_BYTES = 95 * 1024 ** 2;
const READERS = 36;
/** Shortly before the service ends them. */
const AGAIN_MS = 25_000;

/** A site with files that are too large for memory. */
export async function siteOfLargeFiles(service: Service): Promise<TeamSite> {
  const pages = mkdtempSync(join(tmpdir(), 'large-files-'));
  try {
    writeFileSync(join(pages, 'index.html'), '<!doctype html><title>Large files</title>');
    for (let n = 0; n < FILES; n++)
      writeFileSync(join(pages, `${n}.bin`), Buffer.alloc(FILE_BYTES, n));
    return await TeamSite.register(service, 'large-files', pages);
  } finally {
    rmSync(pages, { recursive: true });
  }
}

/**
 * Visitors without a key, who ask for the large files and read nothing of them, again and again.
 * @returns their end
 */
export function readNothing({ service, name }: TeamSite): () => void {
  let sockets: Socket[] = [];
  const leave = () => sockets.forEach((socket) => socket.destroy());
  const ask = (_: unknown, n: number) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET /${n % FILES}.bin HTTP/1.1\r\nHost: ${name}.sites.localhost:${service.port}\r\n\r\n`,
    );
    return socket;
  };
  const come = () => {
    leave();
    sockets = Array.from({ length: READERS }, ask);
  };
  come();
  const again = setInterval(come, AGAIN_MS);
  return () => {
    clearInterval(again);
    leave();
  };
}
