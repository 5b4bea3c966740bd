import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** An address and port on which a process accepts TCP connections. */
export interface ListeningSocket {
  address: string;
  port: number;
}

/**
 * The kernel's number for a socket that accepts connections (include/net/tcp_states.h, TCP_LISTEN).
 */
const LISTEN = '0A';

/** On what a process listens. From /proc: Linux only. */
export function listeningSockets(pid: number): ListeningSocket[] {
  const own = socketsOf(pid);
  return ['tcp', 'tcp6']
    .flatMap((table) => rowsOf(table))
    .filter(({ state, inode }) => state === LISTEN && own.has(inode))
    .map(({ local }) => readLocal(local));
}

/** The inodes of a process's sockets; none where it has ended. */
function socketsOf(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const targets = namesIn(folder).map((name) => targetOf(`${folder}/${name}`));
  return new Set(targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

function rowsOf(table: string) {
  const [, ...lines] = readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return { local, state, inode };
  });
}

/**
 * The table writes an address as 32-bit words of this machine's byte order, in hexadecimal digits.
 */
function readLocal(text: string): ListeningSocket {
  const [address = '', port = ''] = text.split(':');
  const words = address.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  return { address: textOf(bytes), port: Number.parseInt(port, 16) };
}

function textOf(bytes: number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => bytes[2 * i]! * 256 + bytes[2 * i + 1]!);
  const host = groups.map((group) => group.toString(16)).join(':');
  return new URL(`http://[${host}]`).hostname.slice(1, -1);
}
