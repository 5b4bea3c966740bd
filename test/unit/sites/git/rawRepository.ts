import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

const types = { commit: 1, tree: 2, blob: 3 };
type Type = keyof typeof types;

/** An entry of a tree: its mode, its name's bytes and its object. */
export type RawEntry = readonly [mode: string, name: string, id: Buffer];

/** Objects that git itself would not write, as a pack that they are read from. */
export class RawRepository {
  private readonly objects = new Map<string, { type: Type; content: Buffer }>();

  private add(type: Type, content: Buffer): Buffer {
    const id = createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest();
    this.objects.set(id.toString('hex'), { type, content });
    return id;
  }

  blob = (text: string) => this.add('blob', Buffer.from(text));
  tree = (...entries: RawEntry[]) =>
    this.add(
      'tree',
      Buffer.concat(entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), id])),
    );

  /** A folder with a folder in it, and so on. @returns the outermost of `depth` */
  chain(
    depth: number,
    name = 'a',
    inner = this.tree(['100644', 'f.html', this.blob('x')]),
  ): Buffer {
    let tree = inner;
    for (let i = 0; i < depth; i++) tree = this.tree(['40000', name, tree]);
    return tree;
  }

  commit(tree: Buffer, ident = 'T <t@test> 1700000000 +0000', message = 'x'): Buffer {
    const lines = [
      `tree ${tree.toString('hex')}`,
      `author ${ident}`,
      `committer ${ident}`,
      '',
      message,
      '',
    ];
    return this.add('commit', Buffer.from(lines.join('\n')));
  }

  /** Writes the objects into a bare repository, with the commit as its branch `main`. */
  write(repository: string, commit: Buffer): void {
    const parts = [...this.objects.values()].map(({ type, content }) =>
      Buffer.concat([packHeader(types[type], content.length), deflated(content)]),
    );
    const head = Buffer.alloc(12, 'PACK');
    head.writeUInt32BE(2, 4);
    head.writeUInt32BE(parts.length, 8);
    const pack = Buffer.concat([head, ...parts]);
    const input = Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
    execFileSync('git', ['index-pack', '--stdin'], {
      cwd: repository,
      input,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    writeFileSync(join(repository, 'refs/heads/main'), `${commit.toString('hex')}\n`);
  }
}

/** Below so many bytes, to set up a compression takes longer than the rest. */
const TINY = 1_000;

/**
 * As zlib has it (RFC 1950): what is tiny, in one block that is not compressed (RFC 1951, 3.2.4).
 */
function deflated(content: Buffer): Buffer {
  if (content.length > TINY) return deflateSync(content, { level: 1 });
  const [head, sum] = [Buffer.from([0x78, 0x01, 0x01, 0, 0, 0, 0]), Buffer.alloc(4)];
  head.writeUInt16LE(content.length, 3);
  head.writeUInt16LE(0xffff - content.length, 5);
  let [a, b] = [1, 0];
  for (const byte of content) [a, b] = [(a + byte) % 65_521, (b + a + byte) % 65_521];
  sum.writeUInt32BE(b * 65_536 + a);
  return Buffer.concat([head, content, sum]);
}

/** Type and size of an object in a pack (gitformat-pack). */
function packHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
